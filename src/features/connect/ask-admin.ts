import {isDirect} from '../../agents/who-may-know.ts'
import type {AuditStore} from '../../store/tables/audit.ts'
import {button, section} from '../../slack/draw/blocks.ts'
import {ACTIONS} from '../../slack/ids.ts'
import {texts} from '../../slack/texts.ts'
import type {Act} from '../../slack/gate/act.ts'
import {connectTexts} from './texts.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface AskAdminOptions extends ActTools<'nowMs' | 'people' | 'replies'> {
  audit: AuditStore
}

/** Stands on [Connect] for all places without settings of their own. */
export const EVERYWHERE = 'everywhere'
const DAY_MS = 24 * 3_600_000
/** Stands in the audit for the asking itself, beside the press that was judged. */
const ASKED = 'asked'

/** [Ask an admin]: each channel's admins hear of it once a day. At most once: it is put down before it is said. */
export function createAskAdminActs(options: AskAdminOptions): Act[] {
  const {act, checks, audit, people, replies, nowMs} = options
  const words = connectTexts

  return [
    act('press', ACTIONS.askAdmin, checks.member, async ({team, channel, user}) => {
      if (channel === undefined) return {answer: {text: texts.notHere}}
      const admins = (await people.admins()).filter((id) => id !== user)
      if (admins.length === 0) return {answer: {text: words.noAdmins}, again: true}
      const asking = {team, channel, user, act: `press ${ACTIONS.askAdmin}`, about: ASKED} as const
      const atMs = nowMs()
      const isFirst = await audit.addOnce({...asking, outcome: 'done', atMs}, atMs - DAY_MS)
      // Nobody else sees somebody's direct messages, and their settings are the workspace's.
      const [here, where, value] = isDirect(channel)
        ? [words.directMessages, words.aDirectMessage, EVERYWHERE]
        : [words.thisChannel, `<#${channel}>`, channel]
      if (!isFirst) return {answer: {text: words.askedAlready(here)}}
      const text = words.request(`<@${user}>`, where)
      const connect = button(ACTIONS.connect, texts.unconnected.connect, value, {style: 'primary'})
      const blocks = [section(text), {type: 'actions' as const, elements: [connect]}]
      for (const admin of admins) replies.tell(admin, {text, blocks})
      return {
        answer: {
          text: words.asked(
            admins.map((id) => `<@${id}>`),
            here,
          ),
        },
      }
    }),
  ]
}
