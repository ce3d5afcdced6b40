import {useState} from 'react'
import type {ChannelView} from '../../page-feed/contract.ts'
import {ChannelMark, remarksOn} from '../kit/channel-mark.tsx'
import {DialogFrame} from '../kit/dialog-frame.tsx'
import {usePanels, wordsOf} from '../live/panel.ts'
import {useSession} from '../live/session.ts'

/** All channels that this member may see: to look for one, to join it, to start another. */
export function BrowseDialog({onClose}: {onClose: () => void}) {
  const {workspace, me} = useSession()
  const {show} = usePanels()
  const [words, setWords] = useState('')
  const visible = workspace.channels
    .filter(({kind}) => kind === 'channel')
    .filter(({isPrivate, memberIds}) => isPrivate !== true || memberIds.includes(me.id))
    .filter(({name}) => name.includes(words.trim().toLowerCase().replace(/^#/, '')))
    .toSorted((left, right) => left.name.localeCompare(right.name))
  return (
    <DialogFrame title="Channels" className="browse" onClose={onClose}>
      <div className="browse-head">
        <input
          data-first
          type="search"
          className="field"
          aria-label="Search channels"
          placeholder="Search channels"
          value={words}
          onChange={({target}) => setWords(target.value)}
        />
        <button type="button" className="button" onClick={() => show({kind: 'create'})}>
          Create a channel
        </button>
      </div>
      <ul className="browse-list" aria-label="Channels of this workspace">
        {visible.map((channel) => (
          <BrowseRow key={channel.id} channel={channel} onDone={onClose} />
        ))}
      </ul>
      {visible.length === 0 && <p className="muted">No channel has “{words}” in its name.</p>}
    </DialogFrame>
  )
}

function BrowseRow({channel, onDone}: {channel: ChannelView; onDone: () => void}) {
  const {me, openChannel, act} = useSession()
  const {say} = usePanels()
  const isMember = channel.memberIds.includes(me.id)
  const {length} = channel.memberIds
  const about = [
    ...(isMember ? ['joined'] : []),
    length === 1 ? '1 member' : `${length} members`,
    ...remarksOn(channel),
  ]
  const open = (): void => {
    onDone()
    openChannel(channel.id)
  }
  const join = (): void => {
    act('invite', {channel: channel.id, memberId: me.id}).then(open, (error: unknown) =>
      say(wordsOf(error)),
    )
  }
  return (
    <li className="browse-row">
      <ChannelMark channel={channel} />
      <span className="browse-words">
        <strong>{channel.name}</strong>
        <span className="muted">{about.join(' · ')}</span>
      </span>
      {isMember || channel.isArchived === true ? (
        isMember && (
          <button
            type="button"
            className="button"
            aria-label={`Open #${channel.name}`}
            onClick={open}
          >
            Open
          </button>
        )
      ) : (
        <button
          type="button"
          className="button button-primary"
          aria-label={`Join #${channel.name}`}
          onClick={join}
        >
          Join
        </button>
      )}
    </li>
  )
}
