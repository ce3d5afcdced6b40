import {createHmac} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {isSigned, maySign} from '../../src/security/signatures.ts'

/** The example of https://docs.slack.dev/authentication/verifying-requests-from-slack */
const SECRET = new Secret('8f742231b10e8888abcd99yyyzzz85a5')
const SIGNATURE = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
const TIMESTAMP = 1_531_420_618
const BODY =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
  '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
  '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554' +
  '%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'

const head = {timestamps: [String(TIMESTAMP)], signatures: [SIGNATURE]}
const claim = {...head, body: Buffer.from(BODY)}
const NOW_MS = TIMESTAMP * 1000

test('Slack’s own example is signed, and nothing that differs from it', () => {
  expect(isSigned(claim, SECRET, NOW_MS)).toBe(true)
  expect(isSigned({...claim, body: Buffer.from(`${BODY} `)}, SECRET, NOW_MS)).toBe(false)
  expect(isSigned(claim, new Secret('another'), NOW_MS)).toBe(false)
  const later = {...claim, timestamps: [String(TIMESTAMP + 1)]}
  expect(isSigned(later, SECRET, NOW_MS)).toBe(false)
})

test.each([
  [-301, false],
  [-300, true],
  [300, true],
  [300.999, true],
  [301, false],
])('what was signed %d s ago may count: %s', (ageS, may) => {
  expect(maySign(head, NOW_MS + ageS * 1000)).toBe(may)
  expect(isSigned(claim, SECRET, NOW_MS + ageS * 1000)).toBe(may)
})

describe('a head that Slack does not write', () => {
  const hex = SIGNATURE.slice(3)
  test.each([
    ['no time', {timestamps: []}],
    ['two times', {timestamps: [String(TIMESTAMP), String(TIMESTAMP)]}],
    ['two signatures', {signatures: [SIGNATURE, SIGNATURE]}],
    ['no signature', {signatures: []}],
    ['another version', {signatures: [`v1=${hex}`]}],
    ['large letters', {signatures: [`v0=${hex.toUpperCase()}`]}],
    ['half a signature', {signatures: [`v0=${hex.slice(32)}`]}],
    ['a zero in front', {timestamps: [`0${TIMESTAMP}`]}],
    ['parts of a second', {timestamps: [`${TIMESTAMP}.0`]}],
  ])('is none: %s', (_what, wrong) => {
    expect(maySign({...head, ...wrong}, NOW_MS)).toBe(false)
    const [timestamp = ''] = 'timestamps' in wrong ? wrong.timestamps : head.timestamps
    // Also where whoever knows the secret wrote it.
    const signature = createHmac('sha256', SECRET.reveal()).update(`v0:${timestamp}:${BODY}`)
    const signatures = 'signatures' in wrong ? wrong.signatures : [`v0=${signature.digest('hex')}`]
    expect(isSigned({...claim, ...wrong, signatures}, SECRET, NOW_MS)).toBe(false)
  })
})
