import type {Bench} from '../bench.ts'
import {differs, untried} from '../finding.ts'
import type {Scene} from '../scene.ts'
import {checkTexts} from '../texts.ts'
import {section} from './blocks.ts'

/** How a link is explained below its message. */
export const links: Scene = {
  ids: ['unfurl'],
  without: ({place}) => (place.webHost === undefined ? checkTexts.noHost : undefined),
  play: async (bench) => {
    await bench.attempt('unfurl', () => tryUnfurl(bench))
  },
}

async function tryUnfurl({place, caller, post, read}: Bench) {
  const {channel, webHost = ''} = place
  const url = `https://${webHost}/bosun-check`
  const ts = await post({text: `This leads to work: ${url}`})
  const unfurls = {[url]: {blocks: [section('So does work stand.')]}}
  const said = await caller.refusal('chat.unfurl', {channel, ts, unfurls})
  if (said === 'cannot_unfurl_url') return untried(checkTexts.noHost)
  if (said === 'cannot_unfurl_message') return untried(checkTexts.noOwnLinks)
  if (said === 'missing_scope') return untried(checkTexts.noScope('links:write'))
  if (said !== 'ok') return differs(checkTexts.refused(said))
  const message = await read(ts, ({attachments}) => attachments !== undefined)
  const isShown = (message?.attachments?.length ?? 0) > 0
  return isShown ? 'it stands below it' : differs('nothing stands below it')
}
