import type {WebClient} from '@slack/web-api'
import type {Pacer} from '../../relay/pace/pacer.ts'
import {SlackError} from '../../once/slack-error.ts'
import {callPaced} from '../api/paced.ts'
import {type SharedFile, fileSchema, toSharedFile} from '../incoming/message.ts'

/** What Slack knows of a file by now; as it came, where Slack does not say. */
export type FileFacts = (file: SharedFile, signal: AbortSignal) => Promise<SharedFile>

interface FileFactsOptions {
  client: WebClient
  pacer: Pacer
  team: string
}

const WITHIN_MS = 5000

/**
 * Asks for what an event leaves open: the address of a file of another company (`file_access: check_file_info`), and the
 * words of a clip, which Slack transcribes after it was sent. https://docs.slack.dev/reference/methods/files.info
 */
export function createFileFacts({client, pacer, team}: FileFactsOptions): FileFacts {
  return async (file, stop) => {
    const isClip = /^(audio|video)\//.test(file.mimetype)
    const isKnown = file.url !== undefined && (!isClip || file.words !== undefined)
    if (isKnown) return file
    const signal = AbortSignal.any([stop, AbortSignal.timeout(WITHIN_MS)])
    try {
      const told = await callPaced({pacer, team, method: 'files.info', signal}, () =>
        client.files.info({file: file.id}),
      )
      const {data} = fileSchema.safeParse(told?.file)
      return data === undefined || data.id !== file.id ? file : toSharedFile(data)
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof SlackError) && !signal.aborted) throw error
      return file
    }
  }
}
