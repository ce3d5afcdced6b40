import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

/** A reply with images: attachments of its entry, and credits of their own. Sections 2.3 and 2.6. */
export function playScreenshot({subject, dice}: Assignment): Script {
  const reply = `Here is **${subject}**, before and after. The sum stands one line higher now 📸`
  const images = ['before', 'after'].map((name) => ({
    name: `${name}.png`,
    mimeType: 'image/png',
    size: dice.int(40_000, 400_000),
  }))
  return {
    turns: [settled(think(dice), ...callTools(dice, 1, 7)), settled(say(dice, reply, images))],
    rest: 'idle',
  }
}
