import {memo, type ReactNode} from 'react'
import {exactTimeOf, formatSlackDate} from '../kit/clock.ts'
import {emojiOf} from './emoji.ts'
import {parseInline, parseMrkdwn, type Inline, type Token} from './mrkdwn-parser.ts'
import {memberOf} from '../live/membership.ts'
import {usePanels} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** Slack mrkdwn with its line breaks, quotes and code blocks. */
export const Mrkdwn = memo(function Mrkdwn({text}: {text: string}) {
  return parseMrkdwn(text).map((block, index) => {
    if (block.kind === 'preformatted') {
      return (
        <pre key={index} className="code-block">
          <code>{block.text}</code>
        </pre>
      )
    }
    const inline = <Inlines nodes={block.children} />
    if (block.kind === 'quote') return <blockquote key={index}>{inline}</blockquote>
    return (
      <div key={index} className="paragraph">
        {inline}
      </div>
    )
  })
})

/** Slack mrkdwn inside of a line. */
export function MrkdwnLine({text}: {text: string}) {
  return <Inlines nodes={parseInline(text)} />
}

/** Text in which only `:names:` of emoji mean something: Slack's `plain_text`. */
export function PlainText({text}: {text: string}) {
  return plainText(text)
}

/** The same for places that take letters only. */
export function plainText(text: string): string {
  return text.replace(/:([a-z0-9_+-]+):/g, (written, name: string) => emojiOf(name) ?? written)
}

/** A mention, a link or a date. */
export function TokenMark({token}: {token: Token}): ReactNode {
  const {workspace, me, openChannel} = useSession()
  const {show} = usePanels()
  switch (token.kind) {
    case 'user': {
      const {realName} = memberOf(workspace, token.id)
      return (
        <button
          type="button"
          className={token.id === me.id ? 'mention mention-me' : 'mention'}
          onClick={() => show({kind: 'member', member: token.id})}
        >
          @{realName}
        </button>
      )
    }
    case 'channel': {
      const known = workspace.channels.find(({id}) => id === token.id)
      if (!known) return <span className="mention">#{token.name ?? token.id}</span>
      return (
        <button type="button" className="mention" onClick={() => openChannel(token.id)}>
          #{known.name}
        </button>
      )
    }
    case 'broadcast':
      return <span className="mention mention-me">@{token.name}</span>
    case 'date':
      return <SlackDate token={token} />
    case 'link':
      return <SafeLink url={token.url}>{token.label}</SafeLink>
    default:
      return token satisfies never
  }
}

/** A link only where the address is one that is safe to open; otherwise its text. */
export function SafeLink({url, children}: {url: string; children: ReactNode}) {
  if (!isSafeUrl(url)) return children
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  )
}

export function isSafeUrl(url: string): boolean {
  return /^(?:https?|mailto|tel):/i.test(url)
}

function SlackDate({token}: {token: Extract<Token, {kind: 'date'}>}) {
  if (Number.isNaN(token.unixSeconds)) return token.fallback
  const date = new Date(token.unixSeconds * 1000)
  const shown = (
    <time dateTime={date.toISOString()} title={exactTimeOf(date)}>
      {formatSlackDate(token.unixSeconds, token.format)}
    </time>
  )
  return token.url === undefined ? shown : <SafeLink url={token.url}>{shown}</SafeLink>
}

function Inlines({nodes}: {nodes: Inline[]}) {
  return nodes.map((node, index) => <InlineMark key={index} node={node} />)
}

function InlineMark({node}: {node: Inline}): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text
    case 'code':
      return <code>{node.text}</code>
    case 'emoji':
      return emojiOf(node.name) ?? `:${node.name}:`
    case 'strong':
      return (
        <strong>
          <Inlines nodes={node.children} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Inlines nodes={node.children} />
        </em>
      )
    case 'strike':
      return (
        <del>
          <Inlines nodes={node.children} />
        </del>
      )
    default:
      return <TokenMark token={node} />
  }
}
