import {createHmac, randomBytes} from 'node:crypto'
import {type Agent, request} from 'node:http'

/** A request to `/slack/events` as it goes over the wire. */
interface Sent {
  headers: Record<string, string | string[]>
  body: Buffer
}

/** A number from 0 up to, and without, `below`. */
type Roll = (below: number) => number

const TIMESTAMP = 'x-slack-request-timestamp'
const SIGNATURE = 'x-slack-signature'
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

function signatureOf(secret: string, timestamp: string, body: Buffer): string {
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body)
  return `v0=${hmac.digest('hex')}`
}

/** Signed as Slack does, so many seconds from now. */
export function genuine(secret: string, {body, type = JSON_TYPE}: Draft, offsetS = 0): Sent {
  const timestamp = String(Math.floor(Date.now() / 1000) + offsetS)
  return {
    headers: {
      'content-type': type,
      [TIMESTAMP]: timestamp,
      [SIGNATURE]: signatureOf(secret, timestamp, body),
    },
    body,
  }
}

interface Draft {
  body: Buffer
  type?: string
}

const other = (value: string, roll: Roll, letters: string): string => {
  const at = roll(value.length)
  const left = Array.from(letters).filter((letter) => letter !== value[at])
  return value.slice(0, at) + (left[roll(left.length)] ?? '') + value.slice(at + 1)
}

const withHeaders = (
  {headers, body}: Sent,
  changes: Record<string, string | string[] | undefined>,
): Sent => ({
  headers: Object.fromEntries(
    Object.entries({...headers, ...changes}).filter(
      (entry): entry is [string, string | string[]] => entry[1] !== undefined,
    ),
  ),
  body,
})

const text = ({headers}: Sent, name: string): string => String(headers[name])

/** Each makes of what Slack could have sent something that Slack has not, or not now. */
export const FORGERIES: Readonly<
  Record<string, (secret: string, draft: Draft, roll: Roll) => Sent>
> = {
  'no signature': (secret, draft) => withHeaders(genuine(secret, draft), {[SIGNATURE]: undefined}),
  'no timestamp': (secret, draft) => withHeaders(genuine(secret, draft), {[TIMESTAMP]: undefined}),
  'another secret': (_secret, draft) => genuine(randomBytes(16).toString('hex'), draft),
  'no secret': (_secret, draft) => genuine('', draft),
  aged: (secret, draft, roll) => genuine(secret, draft, -301 - roll(10_000_000)),
  // A little more than the window: it comes nearer while others are under way.
  future: (secret, draft, roll) => genuine(secret, draft, 330 + roll(10_000_000)),
  'another time': (secret, draft, roll) => {
    const sent = genuine(secret, draft, -roll(100) - 1)
    return withHeaders(sent, {[TIMESTAMP]: text(genuine(secret, draft), TIMESTAMP)})
  },
  'a time written otherwise': (secret, {body, ...draft}, roll) => {
    const seconds = Math.floor(Date.now() / 1000)
    const ways = [`0${seconds}`, `+${seconds}`, `${seconds}.0`, `${seconds}e0`, `-${seconds}`]
    const further = [`0x${seconds.toString(16)}`, `${seconds}000`, 'NaN', 'Infinity', 'now', '']
    const all = [...ways, ...further]
    const timestamp = all[roll(all.length)] ?? ''
    const signature = signatureOf(secret, timestamp, body)
    return withHeaders(genuine(secret, {body, ...draft}), {
      [TIMESTAMP]: timestamp,
      [SIGNATURE]: signature,
    })
  },
  'another body': (secret, draft, roll) => {
    const {headers, body} = genuine(secret, draft)
    const at = roll(body.length)
    const changed = Buffer.from(body)
    changed[at] = (changed[at] ?? 0) ^ (1 + roll(255))
    return {headers, body: changed}
  },
  'more behind it': (secret, draft, roll) => {
    const {headers, body} = genuine(secret, draft)
    return {headers, body: Buffer.concat([body, randomBytes(1 + roll(50))])}
  },
  'less of it': (secret, draft, roll) => {
    const {headers, body} = genuine(secret, draft)
    return {headers, body: body.subarray(0, roll(body.length))}
  },
  'another signature': (secret, draft, roll) => {
    const sent = genuine(secret, draft)
    const hex = other(text(sent, SIGNATURE).slice(3), roll, '0123456789abcdef')
    return withHeaders(sent, {[SIGNATURE]: `v0=${hex}`})
  },
  'a signature cut or lengthened': (secret, draft, roll) => {
    const sent = genuine(secret, draft)
    const signature = text(sent, SIGNATURE)
    const ways = [signature.slice(0, roll(67)), `${signature}00`, `${signature}=0`, 'v0=']
    return withHeaders(sent, {[SIGNATURE]: ways[roll(ways.length)] ?? ''})
  },
  'another version': (secret, draft, roll) => {
    const sent = genuine(secret, draft)
    const hex = text(sent, SIGNATURE).slice(3)
    const ways = [`v1=${hex}`, `V0=${hex}`, hex, `v00=${hex}`, `v0=${hex.toUpperCase()}g`]
    return withHeaders(sent, {[SIGNATURE]: ways[roll(ways.length)] ?? ''})
  },
  'two signatures': (secret, draft) => {
    const sent = genuine(secret, draft)
    const signature = text(sent, SIGNATURE)
    return withHeaders(sent, {[SIGNATURE]: [signature, signature]})
  },
  'two times': (secret, draft) => {
    const sent = genuine(secret, draft)
    const timestamp = text(sent, TIMESTAMP)
    return withHeaders(sent, {[TIMESTAMP]: [timestamp, timestamp]})
  },
  'a check of certificates': (secret, {body}) => {
    const smuggled = Buffer.concat([Buffer.from('ssl_check=1&payload='), body])
    return withHeaders(genuine(secret, {body: smuggled, type: FORM}), {[SIGNATURE]: undefined})
  },
}

/** A mention, a press and a command, as JSON and as forms. */
export function draftOf(roll: Roll): Draft {
  const ts = `${1_700_000_000 + roll(10_000_000)}.${String(roll(1_000_000)).padStart(6, '0')}`
  const mention = {
    ...{type: 'event_callback', team_id: 'T1', event_id: `Ev${roll(1e9)}`},
    event: {type: 'app_mention', channel: 'C1', ts, user: 'U1', text: `<@U0BOT> ${roll(1e9)} ÄÖ🙂`},
  }
  const press = {
    ...{type: 'block_actions', team: {id: 'T1'}, user: {id: 'U1'}, trigger_id: ts},
    ...{channel: {id: 'C1'}, container: {message_ts: ts}},
    actions: [{action_id: 'bosun:stop', value: String(roll(1e9)), action_ts: ts}],
  }
  const command = {command: '/bosun', text: 'mine', team_id: 'T1', channel_id: 'C1', user_id: 'U1'}
  const forms = [{payload: JSON.stringify(press)}, {...command, trigger_id: ts}]
  const at = roll(3)
  if (at === 0) return {body: Buffer.from(JSON.stringify(mention))}
  return {body: Buffer.from(new URLSearchParams(forms[at - 1]).toString()), type: FORM}
}

/** Over real HTTP, with headers that stand there twice where asked for. */
export function post(
  port: number,
  {headers, body}: Sent,
  agent: Agent,
): Promise<{status: number; text: string}> {
  return new Promise((resolve, reject) => {
    const options = {port, host: '127.0.0.1', path: '/slack/events', method: 'POST', agent}
    const length = {'content-length': String(body.length)}
    const sent = request({...options, headers: {...headers, ...length}}, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString()}),
      )
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
