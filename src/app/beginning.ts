import {createPrompts, type Prompts} from '../slack/prompts/prompts.ts'
import {createDiscussions} from '../slack/prompts/discussions.ts'
import {createQuotedReader} from '../slack/prompts/quoting.ts'
import {createFileAddresses} from '../slack/prompts/file-addresses.ts'
import {createFileFacts} from '../slack/prompts/file-facts.ts'
import {type FileLimits, createFileReader} from '../slack/prompts/shared-files.ts'
import type {TokenOf} from '../slack/api/slack-client.ts'
import type {NeedsOf} from '../slack/gate/feature.ts'
import type {Begin} from '../slack/gate/start-request.ts'
import type {Leaks} from '../security/leaks.ts'
import {createStarter} from '../features/conversation/starting/starter.ts'

type Needs = Omit<NeedsOf<typeof createDiscussions>, 'readQuoted'> &
  Omit<NeedsOf<typeof createStarter>, 'prompts'> &
  NeedsOf<typeof createFileAddresses | typeof createFileFacts> & {
    leaks: Leaks
    tokenOf: TokenOf
    slackApiUrl: string
    fileLimits: FileLimits
  }

/** How work begins, whoever asks for it: with what goes along, exactly once. */
export function createBeginning(needs: Needs): {prompts: Prompts; begin: Begin} {
  const readQuoted = createQuotedReader()
  const prompts = createPrompts({
    ...needs,
    discussions: createDiscussions({...needs, readQuoted}),
    readFiles: createFileReader({
      ...needs,
      apiUrl: needs.slackApiUrl,
      addresses: createFileAddresses(needs),
      facts: createFileFacts(needs),
    }),
    readQuoted,
  })
  return {prompts, begin: createStarter({...needs, prompts})}
}
