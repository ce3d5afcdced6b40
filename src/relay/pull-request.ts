/** The path of a pull request's page, by whatever name the code host has for it. */
const ADDRESS =
  /https:\/\/[a-z0-9.-]+(?::\d+)?\/[\w.~%/-]+?\/(?:pull|pulls|pull-requests|merge_requests)\/\d+/gi

/** The last pull request that a text names, as its address; `undefined` when it names none. */
export function pullRequestIn(text: string): string | undefined {
  return text.match(ADDRESS)?.at(-1)
}
