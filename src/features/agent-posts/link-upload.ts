import type {Pacer} from '../../relay/pace/pacer.ts'
import {SlackError} from '../../once/slack-error.ts'
import {paced} from '../../slack/api/paced.ts'
import {type SlackAccess, type TokenOf, createSlackClient} from '../../slack/api/slack-client.ts'
import {UPLOAD_METHOD, uploadStream} from '../../slack/api/uploads.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {DeclaredFile} from './form-posts.ts'

interface LinkUploadOptions extends SlackAccess {
  pacer: Pacer
  /** `undefined` for a workspace that has the app no more. */
  tokenOf: (team: string) => TokenOf | undefined
}

/**
 * Sends files to the Slack of a link, whichever instance works for it: until its owner shows them, nobody sees them.
 *
 * @throws {SlackError}
 */
export function createLinkUpload({pacer, tokenOf: tokenIn, ...access}: LinkUploadOptions) {
  return async (
    {place: {team, channel}}: Link,
    file: DeclaredFile,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<string> => {
    const tokenOf = tokenIn(team)
    if (tokenOf === undefined) throw new SlackError('dead', 'app_uninstalled')
    const client = createSlackClient(tokenOf, access, team)
    const id = await paced({pacer, team, channel, method: UPLOAD_METHOD, signal}, () =>
      uploadStream(client, file, source, signal),
    )
    if (id === undefined) throw new SlackError('retry', 'stopped', {cause: signal.reason})
    return id
  }
}
