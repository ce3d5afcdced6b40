import {isSafeUrl} from '../text/mrkdwn.tsx'
import {emojiOf} from '../text/emoji.ts'
import type {Author} from '../live/membership.ts'
import {AnchorIcon} from './icons.tsx'

/** Coloured initials; the app has its mark instead. Says nothing to screen readers: a name is beside it. */
export function Avatar({member, size}: {member: Author; size: 'large' | 'small'}) {
  const {iconEmoji, iconUrl} = member
  const emoji = iconEmoji === undefined ? undefined : emojiOf(iconEmoji.replaceAll(':', ''))
  if (emoji !== undefined) {
    return (
      <span className={`avatar avatar-${size} avatar-emoji`} aria-hidden="true">
        {emoji}
      </span>
    )
  }
  if (iconUrl !== undefined && isSafeUrl(iconUrl)) {
    return <img className={`avatar avatar-${size}`} src={iconUrl} alt="" />
  }
  if (member.isServed === true) {
    return (
      <span className={`avatar avatar-${size} avatar-app`} aria-hidden="true">
        <AnchorIcon />
      </span>
    )
  }
  const style = {backgroundColor: `oklch(0.52 0.115 ${hueOf(member.id)})`}
  return (
    <span className={`avatar avatar-${size}`} style={style} aria-hidden="true">
      {initialsOf(member.realName)}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join('')
}

/** One of the hues on which white reads well and that are told apart at a glance. */
function hueOf(id: string): number {
  let sum = 0
  for (const character of id) sum = (sum * 37 + character.charCodeAt(0)) % 9973
  return hues[sum % hues.length] ?? 240
}

const hues = [250, 20, 155, 305, 45, 275, 350, 220]
