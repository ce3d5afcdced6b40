import {useEffect, useState} from 'react'
import type {TrafficEntry} from '../../page-feed/contract.ts'
import {createBatch} from '../live/batch.ts'
import {withEntries, type TrafficLine} from './traffic-entries.ts'

/** What the app and Slack say to each other, for as long as somebody looks. */
export function useTraffic(team: string | undefined): {
  lines: readonly TrafficLine[]
  isLost: boolean
  clear: () => void
} {
  const [lines, setLines] = useState<readonly TrafficLine[]>([])
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const batch = createBatch<TrafficEntry>((news) => {
      setLines((before) => withEntries(before, news))
    })
    const query = team === undefined ? '' : `?${new URLSearchParams({team}).toString()}`
    const source = new EventSource(`/local/traffic${query}`)
    source.addEventListener('open', () => setLost(false))
    source.addEventListener('error', () => setLost(true)) // it tries again by itself
    source.addEventListener('message', ({data}: MessageEvent<string>) => {
      batch.add(JSON.parse(data) as TrafficEntry)
    })
    return () => {
      source.close()
      batch.close()
    }
  }, [team])
  return {lines, isLost, clear: () => setLines([])}
}
