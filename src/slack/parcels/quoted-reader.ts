import {type Turns, createTurns} from '../../relay/streams/turns.ts'
import {type Names, toReadable} from '../markup/markup.ts'
import {MAX_TEXT} from './quoting.ts'

/** What somebody wrote in words that can be read without Slack, as far as it is quoted. */
export type QuotedReader = (text: string, names: Names) => Promise<string>

/** Twenty long messages may come at once, full of names and links: together they take a slice of a turn of the event loop. */
export function createQuotedReader(turns: Turns = createTurns()): QuotedReader {
  return (text, names) => toReadable(text, names, {most: MAX_TEXT, turns})
}
