import {z} from 'zod'
import type {Database} from '../database.ts'
import type {Script} from './script.ts'
import {stepsSchema, toScript} from './scripted-steps.ts'
import {readScript} from './stored-script.ts'

/** What the control API takes: steps that play instead of the scenario. */
export const planSchema = z.strictObject({
  /** Which runs it is for; all that is given must match. */
  when: z
    .strictObject({
      threadId: z.string().min(1).optional(),
      /** A part of the text of the message. */
      text: z.string().min(1).optional(),
    })
    .default({}),
  /** For how many runs. */
  times: z.int().min(1).default(1),
  steps: stepsSchema,
})
type PlanInput = z.input<typeof planSchema>

/** Scripts that were given, to be played by the next runs that match. */
export interface Scripted {
  /** Throws a `ZodError` that names what is wrong. */
  plan(input: PlanInput): void
  /** The script for a run that begins; counts it. The oldest one that matches wins. */
  take(threadId: string, text: string): Script | undefined
}

interface PlannedScript {
  seq: number
  script: string
}

export function createScripted(database: Database): Scripted {
  database.exec(SCHEMA)
  const insert = database.prepare(
    'insert into scripts (threadId, text, times, script) values (?, ?, ?, ?)',
  )
  const find = database.prepare<{threadId: string; text: string}, PlannedScript>(
    `select seq, script from scripts
     where times > 0 and (threadId is null or threadId = @threadId)
       and (text is null or instr(@text, text) > 0)
     order by seq limit 1`,
  )
  const count = database.prepare('update scripts set times = times - 1 where seq = ?')
  return {
    plan: (input) => {
      const {when, times, steps} = planSchema.parse(input)
      const script = JSON.stringify(toScript(steps))
      insert.run(when.threadId ?? null, when.text ?? null, times, script)
    },
    take: (threadId, text) => {
      const found = find.get({threadId, text})
      if (found === undefined) return undefined
      count.run(found.seq)
      return readScript(found.script)
    },
  }
}

const SCHEMA = `
create table if not exists scripts (
  seq integer primary key autoincrement, threadId text, text text, times integer not null,
  script text not null
) strict;
`
