import {useState} from 'react'
import type {SlackBlock} from '../../blocks/block.ts'
import type {ChannelView, CodeChannelView} from '../../page-feed/contract.ts'
import {BlockList} from '../blocks/blocks.tsx'
import {StopButton} from './agent-foot.tsx'

type View = CodeChannelView['views'][number]

/** Slack's words for how a session stands. */
const STATUS = {
  processing: 'Working',
  active: 'Idle',
  suspended: 'Needs attention',
  closed: 'Done',
} as const

/** The tab beside the messages that is open; none: the messages themselves. */
export function useCodeTab(channel: ChannelView) {
  const [chosen, setChosen] = useState<string>()
  const view = channel.code?.views.find(({id}) => id === chosen)
  return {view, choose: (id: string | undefined) => setChosen(id)}
}

/** How the work stands, and what the agent has pinned to the top of its channel. */
export function ContextBar({channel, code}: {channel: string; code: CodeChannelView}) {
  return (
    <ul className="context-bar" aria-label="Context">
      <li className={`session-status is-${code.status}`}>{STATUS[code.status]}</li>
      {code.status === 'processing' && (
        <li>
          <StopButton channel={channel} />
        </li>
      )}
      {code.contextBar.map(({key, label, icon, url}) => (
        <li key={key} title={icon}>
          {url === undefined ? (
            label
          ) : (
            <a href={url} target="_blank" rel="noreferrer">
              {label}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}

export function CodeTabs({
  code,
  current,
  onChoose,
}: {
  code: CodeChannelView
  current: View | undefined
  onChoose: (id: string | undefined) => void
}) {
  if (code.views.length === 0) return null
  const tabs = [{id: undefined, label: 'Messages'}, ...code.views]
  return (
    <div className="app-tabs" role="tablist" aria-label="Views of the agent">
      {tabs.map(({id, label}) => (
        <button
          key={id ?? ''}
          type="button"
          role="tab"
          className="app-tab"
          aria-selected={id === current?.id}
          onClick={() => onChoose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/** What an agent shows is drawn where nothing of it can run as a part of the page. */
export function CodeViewPane({view}: {view: View}) {
  return (
    <section className="pane-body app-home" role="tabpanel" aria-label={view.label}>
      <ViewContent view={view} />
    </section>
  )
}

function ViewContent({view: {type, label, content = '', blocks = [], address}}: {view: View}) {
  if (type === 'html') {
    return <iframe className="code-view" sandbox="" title={label} srcDoc={content} />
  }
  if (type === 'block_kit') {
    return (
      <div className="app-home-content message-text view-blocks">
        <BlockList blocks={blocks as SlackBlock[]} />
      </div>
    )
  }
  if (type !== 'diff') return <pre className="code-view">{address}</pre>
  return (
    <pre className="code-view">
      {content.split('\n').map((line, index) => (
        <span key={index} className={LINES.find(([mark]) => line.startsWith(mark))?.[1]}>
          {`${line}\n`}
        </span>
      ))}
    </pre>
  )
}

/** How a line of a diff looks, by its beginning. */
const LINES = [
  ['+++', 'diff-head'],
  ['---', 'diff-head'],
  ['@@', 'diff-head'],
  ['+', 'diff-added'],
  ['-', 'diff-removed'],
] as const
