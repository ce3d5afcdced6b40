import {type Finding, lineOf} from '../../slack/doctor/finding.ts'
import {type Message, section} from '../../slack/draw/blocks.ts'
import {oneLine} from '../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../slack/markup/markup.ts'
import {texts} from '../../slack/texts.ts'
import type {Act} from '../../slack/gate/act.ts'
import type {ActTools} from '../../slack/gate/tools.ts'

interface DoctorActsOptions extends ActTools {
  examine: () => Promise<Finding[]>
}

const MAX_LINE = 400
/** Slack takes 3,000 characters in a section. */
const MAX_SECTION = 2900

/** How everything is, for admins. */
export function createDoctorActs({act, checks, examine}: DoctorActsOptions): Act[] {
  return [
    act('command', '/bosun doctor', checks.member, async () => ({
      answer: drawFindings(await examine()),
    })),
  ]
}

/** Of a channel a finding knows the id: Slack shows its name to those who may read it. */
function withChannels(line: string): string {
  return line.replaceAll(/&lt;#([CG][A-Z0-9]+)&gt;/g, '<#$1>')
}

function drawFindings(findings: readonly Finding[]): Message {
  const {title, allWell, wrong} = texts.doctor
  const count = findings.filter(({state}) => state === 'wrong').length
  const lines = [
    `${title} · ${count === 0 ? allWell : wrong(count)}`,
    ...findings.map((finding) => withChannels(escapeMrkdwn(oneLine(lineOf(finding), MAX_LINE)))),
  ]
  const sections = ['']
  for (const line of lines) {
    const last = sections.at(-1) ?? ''
    if (last.length + line.length > MAX_SECTION) sections.push(line)
    else sections[sections.length - 1] = last === '' ? line : `${last}\n${line}`
  }
  return {text: lines.join('\n'), blocks: sections.map(section)}
}
