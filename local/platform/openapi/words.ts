import {html} from 'hono/html'

type Html = ReturnType<typeof html>

/** The little of Markdown that the document's words have: paragraphs, lists, code and bold. */
export function toHtml(text: string, isInline = false): Html {
  if (isInline) return html`${toSpans(text)}`
  return html`${text.split('\n\n').map(toBlock)}`
}

const ITEM = /^(?:-|\d+\.) /

function toBlock(block: string): Html {
  const lines = block.replaceAll(/\n +/g, ' ').split('\n')
  if (!lines.every((line) => ITEM.test(line))) return html`<p>${toSpans(lines.join(' '))}</p>`
  const items = lines.map((line) => html`<li>${toSpans(line.replace(ITEM, ''))}</li>`)
  return lines[0]?.startsWith('-')
    ? html`<ul>
        ${items}
      </ul>`
    : html`<ol>
        ${items}
      </ol>`
}

function toSpans(text: string): Html[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) =>
      part.startsWith('`')
        ? html`<code>${part.slice(1, -1)}</code>`
        : part.startsWith('**')
          ? html`<b>${part.slice(2, -2)}</b>`
          : html`${part}`,
    )
}
