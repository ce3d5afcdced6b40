import type {TokenOf} from '../../src/slack/api/slack-client.ts'
import type {SharedFile} from '../../src/slack/incoming/message.ts'
import type {FileAddresses} from '../../src/slack/prompts/file-addresses.ts'
import {createFileReader} from '../../src/slack/prompts/shared-files.ts'

/** Reads files for one piece of work, which has no address to give unless there is one. */
export function fileReaderOf(
  slack: {tokenOf: TokenOf; apiUrl: string},
  addresses: FileAddresses = async () => Promise.resolve(undefined),
) {
  const read = createFileReader({
    ...slack,
    fileLimits: {maxFiles: 3, maxBytes: 50_000_000},
    addresses,
    facts: async (file) => Promise.resolve(file),
  })
  const work = {requestId: 'slack:T1:C1:1.0', connectionId: undefined, user: 'U1'}
  return (files: readonly SharedFile[], signal: AbortSignal) => read(files, work, signal)
}
