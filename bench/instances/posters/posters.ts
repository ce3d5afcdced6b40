import {setTimeout as delay} from 'node:timers/promises'
import {createDice} from '../../../local/platform/agent/dice.ts'
import {type Figure, told} from '../figures.ts'
import {atMost} from '../../lines.ts'
import type {World} from '../world.ts'
import {DEEDS, type Judge} from './deeds.ts'
import {openDesk} from './desk.ts'

/** Everything but replies that must stand once: questions, files, budget stops, runs. */
interface Posters {
  /** Nothing more is begun; what was, comes to its end. */
  end(): Promise<void>
  /** Each kind with its line. What is not right yet has so long to become so. */
  judge(withinMs: number): Promise<Figure[]>
}

/** Workspaces that have a desk. */
const DESKS = 6
const EVERY_MS = 4000
const LOOK_MS = 2000

export async function openPosters(world: World, seed: string): Promise<Posters> {
  const dice = createDice(`${seed} posters`)
  const [first = '', ...others] = world.teams.slice(0, DESKS)
  const open = (team: string) => openDesk(world, team)
  const desks = [await open(first), ...(await Promise.all(others.map(open)))] as const
  const ending = new AbortController()
  const done: {kind: string; mark: string; judge: Judge}[] = []
  const underway = new Set<Promise<unknown>>()
  const begin = async (count: number): Promise<void> => {
    const kinds = Object.entries(DEEDS)
    const [kind, deed] = kinds[count % kinds.length] ?? []
    if (kind === undefined || deed === undefined) return
    const mark = `deed-${count}-${dice.int(1000, 9999)}`
    done.push({kind, mark, judge: await deed(dice.pick(desks), mark)})
  }
  const keep = async (): Promise<void> => {
    for (let count = 0; !ending.signal.aborted; count += 1) {
      const one: Promise<unknown> = begin(count).finally(() => underway.delete(one))
      underway.add(one)
      await delay(EVERY_MS, undefined, {signal: ending.signal}).catch(() => undefined)
    }
  }
  const keeping = keep()
  return {
    end: async () => {
      ending.abort()
      await keeping
      await Promise.all(underway)
    },
    judge: async (withinMs) => {
      const wrong = () =>
        done.flatMap(({kind, mark, judge}) => {
          const found = judge()
          return found.length === 0 ? [] : [{kind, mark, found}]
        })
      for (const endMs = Date.now() + withinMs; wrong().length > 0 && Date.now() < endMs;) {
        await delay(LOOK_MS)
      }
      const left = wrong()
      for (const one of left.slice(0, 20)) console.log(`  ${JSON.stringify(one)}`)
      return Object.keys(DEEDS).flatMap((kind) => [
        told(kind, done.filter((one) => one.kind === kind).length),
        atMost(`${kind}: wrong`, left.filter((one) => one.kind === kind).length, 0),
      ])
    },
  }
}
