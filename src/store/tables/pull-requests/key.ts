/** What tells a pull request from all others, however its address is written: `github.com/acme/web#12`. */
export type PullRequestKey = string

/** By whatever name the code host has for it. */
const PAGE =
  /^https:\/\/([^/?#]+)\/(.+?)\/(?:-\/)?(?:pull|pulls|pull-requests|merge_requests|pullrequests)\/(\d{1,10})(?:[/?#]|$)/

/** Of the address of its page; `undefined` for what is none. */
export function pullRequestKey(address: string): PullRequestKey | undefined {
  const [, host, repo, number] = PAGE.exec(address.toLowerCase()) ?? []
  return number === undefined ? undefined : `${host}/${repo}#${Number(number)}`
}

/** Its host and repository. */
export function repoOfKey(key: PullRequestKey): string {
  return key.slice(0, key.lastIndexOf('#'))
}
