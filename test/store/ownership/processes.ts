import {type ChildProcess, spawn} from 'node:child_process'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {onTestFinished} from 'vitest'
import {until} from '../../support/until.ts'
import type {OnEnd} from './ownerships.ts'

interface Said {
  word: 'begun' | 'taken' | 'over' | 'woken'
  instance: string
  name?: string
  epoch?: number
  may?: number
  held?: number
}

interface InstanceProcess {
  child: ChildProcess
  said: Said[]
  held(): string[]
}

export async function startProcess(
  url: string,
  {leaveMs = 0, onEnd = onTestFinished}: {leaveMs?: number; onEnd?: OnEnd} = {},
): Promise<InstanceProcess> {
  const main = join(import.meta.dirname, 'instance-main.ts')
  const child = spawn(process.execPath, [main, url, String(leaveMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onEnd(() => void child.kill('SIGKILL'))
  const said: Said[] = []
  createInterface({input: child.stdout}).on('line', (line) => said.push(JSON.parse(line) as Said))
  await until('the process has begun', () => said.length > 0)
  const held = (): string[] => {
    const names = new Set<string>()
    for (const {word, name = ''} of said) {
      if (word === 'taken') names.add(name)
      if (word === 'over') names.delete(name)
    }
    return [...names].sort()
  }
  return {child, said, held}
}
