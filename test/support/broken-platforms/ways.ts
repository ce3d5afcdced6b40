import type {Asked, Break, Told} from './proxy.ts'

/** A platform on which one rule does not hold. */
export interface BrokenPlatform {
  name: string
  /** The rules of check-platform that have to be named, and no others. */
  named: readonly string[]
  /** The sections that are about it: what a short run tries. */
  only: readonly string[]
  breaks: () => Break
}

export type Fields = Record<string, unknown>
export const of = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** Breaks those requests alone that are like `POST /threads`; `:` stands for any segment. */
export function on(line: string, answer: NonNullable<Break['answer']>): Break {
  const [method = '', path = ''] = line.split(' ')
  const pattern = new RegExp(`^${path.replaceAll(/:/g, '[^/]+')}$`)
  return {
    answer: (asked, forward) =>
      asked.method === method && pattern.test(asked.path) ? answer(asked, forward) : forward(asked),
  }
}

/** Changes the object of good answers. */
export function told(line: string, change: (body: Fields, asked: Asked) => void): Break {
  return on(line, async (asked, forward) => {
    const answer = await forward(asked)
    if (answer.status < 300) change(of(answer.body), asked)
    return answer
  })
}

/** Changes the object that is sent. */
export function sent(line: string, change: (body: Fields, asked: Asked) => void): Break {
  return on(line, (asked, forward) => {
    change(of(asked.body), asked)
    return forward(asked)
  })
}

export function reply(status: number, body: unknown): Told {
  return {status, headers: {'content-type': 'application/json'}, body}
}

/** Changes frames of threads, of one event where it is named. */
export function frames(event: string, change: (frame: string, asked: Asked) => string): Break {
  const isOf = (frame: string): boolean => frame.startsWith(`event: ${event}\n`)
  return {
    frames: (asked) =>
      asked.path.startsWith('/threads/')
        ? (frame) => (isOf(frame) ? change(frame, asked) : frame)
        : undefined,
  }
}

export const dataOf = (frame: string): Fields =>
  JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '{}') as Fields
export const withData = (frame: string, data: Fields): string =>
  frame.replace(/^data: .*$/m, () => `data: ${JSON.stringify(data)}`)

let ids = 0
/** Another one each time. */
export const nextId = (): number => ++ids
export const another = (body: Fields): void => {
  if (String(body['requestId']).length <= 191) body['requestId'] = `another-${nextId()}`
}

export function rule(
  name: string,
  only: string,
  named: string | readonly string[],
  breaks: () => Break,
): BrokenPlatform {
  return {name, only: only.split(' '), named: [named].flat(), breaks}
}
