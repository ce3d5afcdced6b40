import type {Desk} from '../../agents/work.ts'
import type {Link} from '../../store/link.ts'
import {texts} from '../../slack/texts.ts'

/** Stops and resumes listening in the Slack thread of the work; what to tell whoever asked for it. */
type Mute = (link: Link, want: 'mute' | 'unmute') => Promise<string>

export function createMuting({links, show}: Pick<Desk, 'links' | 'show'>): Mute {
  return async (link, want) => {
    const {muted, unmuted, alreadyMuted, notMuted} = texts.talk.words
    const isMuted = want === 'mute'
    if (link.muted === isMuted) return isMuted ? alreadyMuted : notMuted
    await links.change(link.id, {muted: isMuted})
    await show(link.id)
    return isMuted ? muted : unmuted
  }
}
