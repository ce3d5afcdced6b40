import {type DrawnMessage, button, section} from '../../../slack/draw/blocks.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import type {QuotedMessage} from '../../../slack/prompts/quoting.ts'
import {texts} from '../../../slack/texts.ts'
import type {Link} from '../../../store/tables/work/link.ts'
import {startTexts} from '../start-texts.ts'

const MAX_LINE = 200
const words = startTexts.offer

/** Words behind `/bosun` that are no command and may be a task. */
export function drawTaskOffer(startId: string, task: string): DrawnMessage {
  return draw([words.noCommand, `> ${shown(task)}`], [start(startId), choose(startId)])
}

/** A message that somebody put our emoji on. */
export function drawMessageOffer(
  startId: string,
  quoted: QuotedMessage,
  link: Pick<Link, 'title'> | undefined,
): DrawnMessage {
  const quote = `> *${inBold(quoted.author, MAX_NAME)}:* ${shown(headlineOf(quoted))}`
  if (link === undefined) return draw([quote, words.message], [start(startId), choose(startId)])
  const title = inBold(link.title ?? texts.card.untitled, MAX_NAME)
  return draw([quote, words.atWork(title)], [choose(startId, words.tell)])
}

/** The first line of a message; of one without words what it carries. */
export function headlineOf({text, files, forwarded}: QuotedMessage): string {
  const said = [text, ...forwarded.map((one) => one.text)].map((one) => one.trim())
  const first = said.find((one) => one !== '') ?? files.join(', ')
  return first.split('\n', 1)[0] ?? ''
}

function draw(lines: string[], elements: ReturnType<typeof button>[]): DrawnMessage {
  const text = lines.join('\n')
  return {text, blocks: [section(text), {type: 'actions', elements}]}
}

function shown(line: string): string {
  return escapeMrkdwn(oneLine(line, MAX_LINE))
}

function start(id: string) {
  return button(ACTIONS.offerStart, words.start, id, {style: 'primary'})
}

function choose(id: string, label: string = words.choose) {
  return button(ACTIONS.offerChoose, label, id)
}
