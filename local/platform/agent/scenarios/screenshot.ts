import type {Dice} from '../dice.ts'
import {say, settled, think, type Script, type Assignment, type Image} from '../script.ts'
import {callTools} from './tools.ts'

const PICTURES = ['before.png', 'after.png']

/**
 * A reply with pictures, which cost credits of their own: posted by code on its machine, or, without such a machine,
 * attachments of its entry. Sections 2.3 and 2.6.
 */
export function playScreenshot(assignment: Assignment): Script {
  const {subject, attached, canPost, dice} = assignment
  const look = settled(think(dice), ...callTools(dice, 1, 7))
  const [sent] = attached
  if (sent !== undefined) {
    const reply = `I have looked at **${sent.name}**: each line was rounded on its own. Above is the cart with a sum that is right to the cent 📸`
    const post = {text: 'Repaired', pictures: PICTURES.slice(-1)}
    return {turns: [look, settled({kind: 'post', post}, say(dice, reply))], rest: 'idle'}
  }
  const reply = `Here is **${subject}**, before and after. The sum is right to the cent now 📸`
  const post = {text: 'Before and after', pictures: PICTURES}
  const end = canPost
    ? settled({kind: 'post', post}, say(dice, reply))
    : settled(
        say(
          dice,
          reply,
          PICTURES.map((name) => toImage(name, dice)),
        ),
      )
  return {turns: [look, end], rest: 'idle'}
}

function toImage(name: string, dice: Dice): Image {
  return {name, mimeType: 'image/png', size: dice.int(40_000, 400_000)}
}
