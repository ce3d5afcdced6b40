import {type Asked, type Door, forward, openDoor, passedOn, readAsked} from './forward.ts'

interface Balancer extends Door {
  origin: string
}

interface Dice {
  int(from: number, to: number): number
}

/**
 * What stands before the instances, and all that Slack knows of them: any of them for each request, another one where
 * that refuses the connection. It asks nobody how they are, as the simplest of its kind: who hangs, hangs.
 */
export async function startBalancer(dice: Dice, ports: () => number[], at = 0): Promise<Balancer> {
  const pass = async (asked: Asked) => {
    const left = ports()
    while (left.length > 0) {
      const [port = 0] = left.splice(dice.int(0, left.length - 1), 1)
      try {
        return await forward(asked, {port})
      } catch (error) {
        const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
        if (!isRefused) return undefined
      }
    }
    return undefined
  }
  const door = await openDoor((incoming, response) => {
    const serve = async (): Promise<void> => {
      const answer = await pass(await readAsked(incoming))
      if (answer === undefined) response.writeHead(502).end()
      else response.writeHead(answer.status, passedOn(answer.headers)).end(answer.body)
    }
    serve().catch(() => response.destroy())
  }, at)
  return {...door, origin: `http://127.0.0.1:${door.port}`}
}
