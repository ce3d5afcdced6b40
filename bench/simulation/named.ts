import type {Plan, TalkPlan} from './plan.ts'

/** Plans under which something once was wrong, by what it was. */
export const NAMED_PLANS: Readonly<Record<string, Plan>> = {
  'a question stood with its buttons when its work was archived while our own tables were slow': {
    ...{seed: '1', delivery: 'http', writer: 'edit', rateScale: 4},
    talks: Array.from({length: 8}, (_, at): TalkPlan => {
      const archive = {afterMs: 12_000 + at * 700, from: 'elsewhere', when: 'at rest'} as const
      const base = {name: `s1-t${at}`, atMs: at * 1500, turns: 1, addedAfterMs: []}
      return {...base, rest: 'pending_user', archive}
    }),
    faults: [{atMs: 14_000, kind: 'busy', forMs: 90_000, oneIn: 10}],
  },
}
