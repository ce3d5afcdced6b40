import fc from 'fast-check'
import {expect, test} from 'vitest'
import {SecretInside, withoutSecret} from '../../../src/features/agent-posts/secret-scan.ts'
import {createLeaks} from '../../../src/security/leaks.ts'
import {Secret} from '../../../src/security/secret.ts'

const TOKEN = `eyJ${'aB3_x-9Zq'.repeat(20)}`
const KEY = 'svc_7Kq2LmZ9TpW4vRs8XcB1'
const leaks = createLeaks()
for (const secret of [TOKEN, KEY]) leaks.learn(new Secret(secret))

/** Whether it is met in a file that comes in pieces of these lengths. */
async function isMet(bytes: Uint8Array, lengths: readonly number[]): Promise<boolean> {
  const pieces = async function* () {
    let from = 0
    for (let piece = 0; from < bytes.length; piece += 1) {
      const to = from + (lengths[piece % lengths.length] ?? 1)
      yield Promise.resolve(bytes.slice(from, to))
      from = to
    }
  }
  const passed: Uint8Array[] = []
  try {
    for await (const piece of withoutSecret(pieces(), new Secret(TOKEN), leaks)) passed.push(piece)
  } catch (error) {
    expect(error).toBeInstanceOf(SecretInside)
    expect(Buffer.concat(passed).includes(TOKEN)).toBe(false)
    return true
  }
  expect(Buffer.concat(passed).equals(bytes)).toBe(true)
  return false
}

const lengths = fc.array(fc.integer({min: 1, max: 300}), {minLength: 1, maxLength: 20})

test('a token is found wherever it stands, however the bytes are cut, also in what is no text', async () => {
  const around = fc.uint8Array({maxLength: 400})
  await fc.assert(
    fc.asyncProperty(around, around, lengths, async (before, behind, cuts) => {
      const bytes = Buffer.concat([before, Buffer.from(TOKEN), behind])
      expect(await isMet(new Uint8Array(bytes), cuts)).toBe(true)
    }),
  )
})

test('in a text it is found in base64, too, and behind long ones', async () => {
  const drawn = Buffer.from(TOKEN).toString('base64')
  const bytes = new TextEncoder().encode(`${'line of a log\n'.repeat(9000)}${drawn}\n`)
  expect(await isMet(bytes, [65_536])).toBe(true)
  expect(await isMet(bytes, [4096, 17])).toBe(true)
})

test('so is every other secret that the bot knows, in a text', async () => {
  const bytes = new TextEncoder().encode(`PATH=/bin\nAPI_KEY=${KEY}\n`)
  expect(await isMet(bytes, [65_536])).toBe(true)
  expect(await isMet(bytes, [7])).toBe(true)
})

test('nothing else is taken for it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.uint8Array({maxLength: 900}), fc.string()),
      lengths,
      async (file, cuts) => {
        const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file
        expect(await isMet(bytes, cuts)).toBe(false)
      },
    ),
  )
})
