import type {ServerResponse} from 'node:http'
import type {MiddlewareHandler, Next} from 'hono'
import {alreadySent} from '../../already-sent.ts'
import type {Clock} from '../clock.ts'
import {readJson, type Env, type Request} from '../edge/request.ts'
import type {Fault, Faults} from './faults.ts'
import {interpose, type Sieve} from './interpose.ts'
import {pause} from './pause.ts'
import {createReshaper, type Reshaper, type Reshaping} from './reshape.ts'

interface BreakOptions {
  faults: Faults
  clock: Clock
  /** Aborted when the server goes down: whoever is made to wait is not handled any more. */
  closing: AbortSignal
}

/** Lets the faults loose on the requests that they match. */
export function breakRequests({faults, clock, closing}: BreakOptions): MiddlewareHandler<Env> {
  return async (request, next) => {
    const strike = faults.take(() => toAsked(request))
    if (strike === undefined) {
      await next()
      return
    }
    const {fault, onEffect, gone} = strike
    request.set('fault', fault.kind)
    const wait = (ms: number): Promise<void> => pause(clock, ms, AbortSignal.any([closing, gone]))
    await apply(fault, {request, next, wait, closing, onEffect})
  }
}

interface Hit {
  request: Request
  next: Next
  wait: (ms: number) => Promise<void>
  closing: AbortSignal
  onEffect: () => void
}

async function apply(fault: Fault, hit: Hit): Promise<void> {
  const {request, next, onEffect} = hit
  const {outgoing} = request.env
  switch (fault.kind) {
    case 'answer':
      await applyOrNote(fault.applied, hit)
      answerWith(request, toResponse(fault))
      onEffect()
      return
    case 'lost':
      await applyOrNote(fault.applied, hit)
      lose(request)
      onEffect()
      return
    case 'delay':
      await delay(fault, hit)
      onEffect()
      return
    case 'cut':
      interpose(
        outgoing,
        cutAfter(fault.afterBytes, outgoing, () => {
          sever(outgoing, fault.reset)
          onEffect()
        }),
      )
      await next()
      return
    case 'stall':
      interpose(outgoing, cutAfter(fault.afterBytes, outgoing, onEffect))
      await next()
      return
    case 'chunks':
      interpose(outgoing, inPieces(fault.bytes, onEffect))
      await next()
      return
    default:
      await reshape(fault, hit)
  }
}

/** A request that is not handled is read all the same, for the ledger and so that the client gets it off. */
async function applyOrNote(isApplied: boolean, {request, next}: Hit): Promise<void> {
  if (isApplied && request.req.method !== 'GET') {
    await next()
    return
  }
  await readJson(request).catch(() => undefined)
}

async function delay({ms, answerMs}: Extract<Fault, {kind: 'delay'}>, hit: Hit): Promise<void> {
  const {request, next, wait, closing} = hit
  await wait(ms)
  if (!closing.aborted) await next()
  await wait(answerMs)
  if (closing.aborted) lose(request)
}

function toResponse({status, body, headers}: Extract<Fault, {kind: 'answer'}>): Response {
  const isText = typeof body === 'string'
  const type = isText ? 'text/html; charset=utf-8' : 'application/json'
  const content = body === undefined || isBodiless(status) ? null : isText ? body : stringify(body)
  return new Response(content, {
    status,
    headers: {...(content !== null && {'content-type': type}), ...headers},
  })
}

const stringify = (body: unknown): string => JSON.stringify(body)

const isBodiless = (status: number): boolean => [204, 205, 304].includes(status)

function lose(request: Request): void {
  request.set('isLost', true)
  request.env.incoming.socket.destroy()
  answerWith(request, alreadySent())
}

/** Replaces the answer; without the first line, the headers of the real one would stay. */
function answerWith(request: Request, response: Response): void {
  request.res = undefined
  request.res = response
}

/** Lets so many bytes of the body pass, then calls back and lets nothing pass. */
function cutAfter(maxBytes: number, response: ServerResponse, act: () => void): Sieve {
  let left = maxBytes
  let isCut = false
  return {
    write: (bytes, pass) => {
      if (isCut) return
      const part = bytes.subarray(0, left)
      left -= part.length
      pass(part)
      if (left > 0) return
      isCut = true
      response.flushHeaders()
      act()
    },
    end: () => !isCut,
  }
}

function sever({socket}: ServerResponse, reset: boolean): void {
  // A reset throws away what is still on its way, so that goes out first.
  if (reset) socket?.write('', () => socket.resetAndDestroy())
  else socket?.destroySoon()
}

function inPieces(maxBytes: number, onEffect: () => void): Sieve {
  return {
    write: (bytes, pass) => {
      if (bytes.length > maxBytes) onEffect()
      for (let start = 0; start < bytes.length; start += maxBytes) {
        pass(bytes.subarray(start, start + maxBytes))
      }
    },
    end: () => true,
  }
}

/** A stream writes by itself, behind a sieve; another answer is changed as a whole, since its length is sent along. */
async function reshape(fault: Reshaping, {request, next, onEffect}: Hit): Promise<void> {
  const {outgoing} = request.env
  const reshaper = telling(createReshaper(fault), onEffect)
  const takeOut = interpose(outgoing, asSieve(reshaper))
  await next()
  if (outgoing.headersSent) return
  takeOut()
  const {res} = request
  const text = reshaper.change(await res.text()) + reshaper.end()
  answerWith(request, new Response(text, {status: res.status, headers: res.headers}))
}

/** The same, but tells when a piece has become another one. */
function telling(reshaper: Reshaper, onEffect: () => void): Reshaper {
  const note = (before: string, after: string): string => {
    if (after !== before) onEffect()
    return after
  }
  return {change: (text) => note(text, reshaper.change(text)), end: () => note('', reshaper.end())}
}

function asSieve(reshaper: Reshaper): Sieve {
  return {
    write: (bytes, pass) => {
      if (bytes.length > 0) pass(Buffer.from(reshaper.change(bytes.toString())))
    },
    end: (pass) => {
      pass(Buffer.from(reshaper.end()))
      return true
    },
  }
}

function toAsked({req}: Request): {
  method: string
  path: string
  header: (name: string) => string | undefined
} {
  const {pathname, search} = new URL(req.url)
  return {method: req.method, path: pathname + search, header: (name) => req.header(name)}
}
