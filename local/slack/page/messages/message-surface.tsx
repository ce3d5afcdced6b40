import {useMemo, type ReactNode} from 'react'
import type {MessageView} from '../../page-feed/contract.ts'
import {entered, startEntry, startOptions, toValues} from '../forms/entries.ts'
import {useSession} from '../live/session.ts'
import {SurfaceContext, type SearchAnswer, type Surface} from '../forms/surface.ts'
import {useEntries} from '../forms/use-entries.ts'

/** Makes the elements of a message act for that message. */
export function MessageSurface({message, children}: {message: MessageView; children: ReactNode}) {
  const {press, act} = useSession()
  const {channel, ts, blocks = noBlocks} = message
  const {entered: all, latest, keep} = useEntries(blocks)
  const surface = useMemo<Surface>(
    () => ({
      shown: message,
      entryOf: (place, element) => entered(all, place, element) ?? startEntry(element, undefined),
      chosenOf: (_place, element) => startOptions(element, undefined),
      keep,
      press: (place, value) => {
        const values = toValues(latest())
        return press({channel, ts, ...place, values, ...(value === undefined ? {} : {value})})
      },
      search: (place, query) =>
        act<SearchAnswer>('searchOptions', {...place, query, message: {channel, ts}}),
      upload: () => Promise.reject(new Error('Slack takes files in modals only.')),
      errorOf: () => undefined,
    }),
    // What `keep` and `latest` close over never changes.
    // The rest says what is drawn.
    [message, all, channel, ts, press, act],
  )
  return <SurfaceContext value={surface}>{children}</SurfaceContext>
}

const noBlocks: readonly unknown[] = []
