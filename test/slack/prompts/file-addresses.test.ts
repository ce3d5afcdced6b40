import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {SharedFile} from '../../../src/slack/incoming/message.ts'
import {createFileAddresses} from '../../../src/slack/prompts/file-addresses.ts'

const work = {requestId: 'slack:T1:C1:1.0', connectionId: undefined, user: 'U1'}
const signal = new AbortController().signal

const toFile = (name: string, index = 0): SharedFile => ({
  ...{id: `F${index}`, name, mimetype: 'image/png', size: 5, url: 'https://files.slack.com/f'},
})

const MACHINE = {publicUrl: 'https://bosun.example.com/', tokenFile: '/etc/agent/session-token'}

const give = (files: readonly SharedFile[], more: object = {}, isOffered = true) =>
  createFileAddresses({
    team: 'T1',
    sharedFiles: {
      keep: async (told) =>
        Promise.resolve(told.map((file) => ({...file, id: `id${file.slackFile}`}))),
    },
    proof: {isOffered: async () => Promise.resolve(isOffered)},
    nowMs: () => 1,
    ...MACHINE,
    ...more,
  })(files, work, signal)

const savedAs = async (...names: string[]): Promise<string[]> => {
  const given = (await give(names.map(toFile))) ?? []
  return given.map(({command}) => / -o (\S+) /.exec(command)?.[1] ?? '')
}

test('the line for a shell', async () => {
  const [given] = (await give([toFile('shot.png')])) ?? []
  expect(given?.command).toBe(
    "{ printf 'authorization: Bearer '; cat /etc/agent/session-token; } | curl -fsS --retry 8 -H @- -o shot.png 'https://bosun.example.com/files/idF0'",
  )
})

test('where nobody could fetch them there are none', async () => {
  expect(await give([toFile('a')])).toHaveLength(1)
  expect(await give([toFile('a')], {publicUrl: undefined})).toBeUndefined()
  expect(await give([toFile('a')], {tokenFile: undefined})).toBeUndefined()
  expect(await give([toFile('a')], {}, false)).toBeUndefined()
})

test('names are for a shell and a disk, and each file has its own', async () => {
  expect(
    await savedAs(
      '../../etc/passwd',
      '.bashrc',
      '-rf',
      'отчёт.pdf',
      "a'; rm -rf ~",
      'a.png',
      'A.PNG',
    ),
  ).toEqual(['etc_passwd', 'file.bashrc', 'rf', 'file.pdf', 'a_rm_-rf', 'a.png', '2-A.PNG'])
  const names = fc.array(fc.oneof(fc.string(), fc.string({unit: 'grapheme'})), {maxLength: 20})
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const saved = await savedAs(...all)
      for (const name of saved) expect(name).toMatch(/^\w[\w.-]*$/)
      expect(new Set(saved.map((name) => name.toLowerCase())).size).toBe(all.length)
    }),
  )
})
