import {useCallback, useEffect, useState} from 'react'
import type {InstanceView} from '../../page-feed/instances.ts'

const EVERY_MS = 1000

export type InstanceDeed = 'kill' | 'start'

interface Instances {
  instances: readonly InstanceView[]
  problem: string | undefined
  act: (number: number, deed: InstanceDeed) => void
}

/** Who works for what, asked anew each second. */
export function useInstances(): Instances {
  const [instances, setInstances] = useState<readonly InstanceView[]>([])
  const [problem, setProblem] = useState<string>()
  const ask = useCallback(async (path: string, method: string) => {
    try {
      const response = await fetch(path, {method})
      if (!response.ok) throw new Error(await response.text())
      setInstances((await response.json()) as InstanceView[])
      setProblem(undefined)
    } catch (error) {
      setProblem(
        error instanceof TypeError
          ? 'The demo does not answer. Trying again…'
          : error instanceof Error
            ? error.message
            : String(error),
      )
    }
  }, [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isClosed = false
    const poll = async (): Promise<void> => {
      await ask('/instances', 'GET')
      if (!isClosed) timer = setTimeout(() => void poll(), EVERY_MS)
    }
    void poll()
    return () => {
      isClosed = true
      clearTimeout(timer)
    }
  }, [ask])
  const act = (number: number, deed: InstanceDeed): void => {
    void ask(`/instances/${number}/${deed}`, 'POST')
  }
  return {instances, problem, act}
}
