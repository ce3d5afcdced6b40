import {say, settled, think, type Script, type Assignment} from '../script.ts'
import {callTools} from './tools.ts'

const LAPS = 16
const CREDITS = 500

/** A minute that costs half a dollar every few seconds: enough for any budget to run out. */
export function playCostly({subject, dice}: Assignment): Script {
  const laps = Array.from({length: LAPS}, (_, index) => ({
    ...settled(think(dice), ...callTools(dice, 2, 2 * index)),
    credits: CREDITS,
  }))
  const reply = `**${subject}** is through, with the largest model and all ${LAPS} laps. It was not cheap 💸`
  return {turns: [...laps, settled(say(dice, reply))], rest: 'idle'}
}

/** What it does when it is told to go on after a stop. */
export function playGoingOn({subject, dice}: Assignment): Script {
  const reply = `I went on with **${subject}** where I was stopped, and am through: all tests pass ✅`
  return {
    turns: [
      settled(think(dice), ...callTools(dice, 3, 2)),
      settled(...callTools(dice, 1, 5), say(dice, reply)),
    ],
    rest: 'idle',
  }
}
