/** What Slack's lists of messages have in common. */
interface Page<Message> {
  messages?: Message[]
  response_metadata?: {next_cursor?: string}
}

/** All messages of a list, page by page, until there are no more or `read` has none. */
export async function* eachMessage<Message>(
  read: (from: {cursor?: string}) => Promise<Page<Message> | undefined>,
): AsyncGenerator<Message> {
  let cursor: string | undefined
  do {
    const page = await read(cursor === undefined ? {} : {cursor})
    if (page === undefined) return
    yield* page.messages ?? []
    cursor = page.response_metadata?.next_cursor || undefined
  } while (cursor !== undefined)
}
