import {texts} from '../texts.ts'
import type {Finding} from './finding.ts'

/** What the inbox calls them. */
const LINKS = 'links'

/**
 * Whether Slack tells of links. Which domains the app has nobody tells it, so that what has arrived is all there is to go by.
 * `arrived`: by kind; `undefined` where nobody has looked.
 */
export function judgeLinks(
  webUrl: string | undefined,
  arrived?: ReadonlyMap<string, number>,
): Finding {
  const {name, none, well, unheard, fix} = texts.doctor.links
  const count = arrived?.get(LINKS) ?? 0
  if (count > 0) return {name, state: 'well', says: well(count)}
  if (webUrl === undefined) return {name, state: 'untold', says: none}
  const {hostname} = new URL(webUrl.replaceAll('{threadId}', 'id'))
  return {name, state: 'untold', says: unheard(hostname), fix}
}
