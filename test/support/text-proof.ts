import {type Part, splitMarkdown} from '../../src/markdown/split.ts'
import {toVisible} from '../../src/markdown/visible.ts'
import {drawSay} from '../../src/slack/draw/draw.ts'
import {escapedLength} from '../../src/slack/markup/markup.ts'
import {createHostileTexts} from './hostile-texts.ts'
import {dangersOf, isSameWords, rawLetters} from './text-judge.ts'

interface Proof {
  findings: string[]
  drafts: number
  parts: number
}

interface ProofOptions {
  texts: number
  seed: number
  onThousand?: (done: number) => void
}

/** Feeds hostile texts in fragments, splits and draws each state of them, and judges what would be sent. */
export function proveTexts({texts, seed, onThousand}: ProofOptions): Proof {
  const hostile = createHostileTexts(seed)
  const proof: Proof = {findings: [], drafts: 0, parts: 0}
  for (let index = 0; index < texts; index += 1) {
    const text = toVisible(hostile.next(1 + hostile.below(8)))
    const maxCost = 120 + hostile.below(600)
    const find = (what: string): void => {
      proof.findings.push(`text ${index}, parts of ${maxCost}: ${what}\n  ${JSON.stringify(text)}`)
    }
    const judge = (part: Part): void => {
      proof.parts += 1
      for (const finding of judgePart(part, maxCost)) find(finding)
    }
    let before: Part[] = []
    for (let end = 1 + hostile.below(40); end < text.length; end += 1 + hostile.below(90)) {
      const parts = splitMarkdown(toDraft(text.slice(0, end)), maxCost, escapedLength)
      proof.drafts += 1
      if (!isPrefix(before.slice(0, -1), parts)) find('a part changed behind its back')
      parts.slice(Math.max(before.length - 1, 0)).forEach(judge)
      before = parts
    }
    const parts = splitMarkdown(text, maxCost, escapedLength)
    if (!isPrefix(before.slice(0, -1), parts)) find('a part changed behind its back')
    if (parts.map(({source}) => source).join('') !== text) find('the sources are not the text')
    parts.forEach(judge)
    if ((index + 1) % 1000 === 0) onThousand?.(index + 1)
  }
  return proof
}

/** Half a character may be at the end: the relay holds it back. */
function toDraft(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '')
}

function isPrefix(frozen: readonly Part[], parts: readonly Part[]): boolean {
  return frozen.every(({shown}, index) => parts[index]?.shown === shown)
}

function judgePart({shown, source}: Part, maxCost: number): string[] {
  const findings: string[] = []
  // What it repeats stands in front.
  if (!rawLetters(shown).endsWith(rawLetters(source))) findings.push(`not its source: ${shown}`)
  if (shown.trim() === '') return findings
  const {text, blocks} = drawSay({kind: 'say', markdown: shown}, [])
  const [block] = blocks
  const sent = block?.type === 'markdown' ? block.text : ''
  if (sent !== '\ufffd') {
    for (const danger of dangersOf(shown, sent)) {
      findings.push(`${danger}\n  shown ${JSON.stringify(shown)}\n  sent ${JSON.stringify(sent)}`)
    }
  }
  if (text.length > maxCost) findings.push(`over its budget: ${text.length}`)
  if (/[<>]/.test(text)) findings.push(`a token in the plain text: ${text}`)
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  if (text !== '\ufffd' && !isSameWords(shown, plain)) findings.push(`lost from: ${plain}`)
  return findings
}
