import {z} from 'zod'
import type {Bench} from '../bench.ts'
import {differs} from '../finding.ts'
import {openSlackFile} from '../../api/file-download.ts'
import {uploadFile} from '../../api/uploads.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'

const fileSchema = z.looseObject({
  file: z.looseObject({url_private: z.string(), mimetype: z.string().optional()}),
})
const BYTES = Buffer.from('Bosun tries how a file fares in Slack: é, 漢, 🛠️.\n'.repeat(40), 'utf8')
/** Slack says what becomes of it in one of these. */
const GONE: readonly string[] = ['file_deleted', 'file_not_found']
const LOOKS = 10
const LOOK_AGAIN_MS = 2000
const READ_WITHIN_MS = 20_000

/** One file: it is uploaded, shared, read and deleted. */
export const files: Scene = {
  ids: ['file-shared', 'file-bytes', 'file-gone'],
  play: async (bench) => {
    const {caller, made, attempt} = bench
    let file = ''
    const isShared = await attempt('file-shared', async () => {
      file = await uploadFile(caller.client, 'bosun-check.md', BYTES)
      made.files.add(file)
      return share(bench, file)
    })
    if (!isShared) return
    await attempt('file-bytes', () => tryReading(bench, file))
    await attempt('file-gone', async () => {
      await caller.call('files.delete', {file})
      const said = await caller.refusal('files.info', {file})
      if (!GONE.includes(said)) return differs(checkTexts.insteadOf('file_deleted', said))
      made.files.delete(file)
      return said
    })
  },
}

async function share({place, caller, made, thread, pause}: Bench, file: string) {
  await caller.call('files.completeUploadExternal', {
    files: [{id: file, title: 'bosun-check.md'}],
    channel_id: place.channel,
    thread_ts: place.root,
    initial_comment: 'This is a file.',
  })
  for (let looks = 1; looks <= LOOKS; looks += 1) {
    const message = (await thread()).find((one) => one.files?.some(({id}) => id === file) === true)
    if (message !== undefined) {
      made.messages.add(message.ts)
      return 'it appeared'
    }
    await pause(LOOK_AGAIN_MS)
  }
  return differs('no message bears its id')
}

async function tryReading({place, caller}: Bench, file: string) {
  const {file: told} = fileSchema.parse(await caller.call('files.info', {file}))
  const {token, apiUrl} = place
  const opened = await openSlackFile(
    {id: file, url: told.url_private, isPage: false},
    {tokenOf: async () => token, apiUrl},
    AbortSignal.timeout(READ_WITHIN_MS),
  )
  if (typeof opened === 'string') return differs('its address does not give them')
  const bytes = Buffer.from(await new Response(opened.body).arrayBuffer())
  return bytes.equals(BYTES) ? 'the same bytes' : differs('other bytes')
}
