import {startPlatform} from '../../../local/platform/server.ts'
import type {Vocabulary} from '../../../local/platform/threads/vocabulary.ts'
import {Secret} from '../../../src/security/secret.ts'
import {type Report, checkPlatform} from '../../../src/tools/check-platform/run.ts'
import {type KeyName, keyOf} from '../../local/platform/client.ts'
import {type Break, startBreaking} from './proxy.ts'
import type {BrokenPlatform} from './ways.ts'

/** An agent's long work takes longer than the patience, its short answers far less. */
const PACE = 0.15
const PATIENCE_MS = 6000
const HEARTBEAT_MS = 200

export interface Judged {
  report: Report
  /** The rules that were said to be broken. */
  named: string[]
  /** Threads that were left behind unarchived. */
  left: number
}

interface Trial {
  /** The sections that are tried; all without it. */
  only?: readonly string[]
  key?: KeyName
  vocabulary?: Vocabulary
  patienceMs?: number
}

/** Tries an embedded platform, broken or not. */
export async function judge(breaks: Break, trial: Trial = {}): Promise<Judged> {
  const {only, key = 'human', vocabulary = 'guides', patienceMs = PATIENCE_MS} = trial
  await using platform = await startPlatform({pace: PACE, heartbeatMs: HEARTBEAT_MS, vocabulary})
  await using breaking = await startBreaking(platform.originUrl, breaks)
  const report = await checkPlatform({
    baseUrl: breaking.baseUrl,
    key: new Secret(keyOf(platform, key)),
    projectId: 'project_web',
    pullRequest: {repo: 'acme/web', prNumber: 12},
    folderId: 'folder_later',
    patienceMs,
    heartbeatWithinMs: Math.min(2000, patienceMs),
    only,
    signal: new AbortController().signal,
  })
  const named = report.verdicts.filter(({state}) => state === 'broken').map(({rule}) => rule)
  return {report, named, left: platform.threads().filter(({archived}) => !archived).length}
}

/** Many at a time: they mostly wait. */
export async function judgeAll<Result>(
  all: readonly BrokenPlatform[],
  one: (broken: BrokenPlatform) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = [...all.entries()]
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      results[next[0]] = await one(next[1])
    }
  }
  await Promise.all(Array.from({length: 8}, work))
  return results
}
