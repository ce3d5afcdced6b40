import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {aboutOf, knownAddresses, toSubject} from '../../../src/features/unfurls/subject.ts'

const webUrl = 'https://app.example.com/t/{threadId}'

describe('an address', () => {
  test('of work is known by the template of [Open], whatever a browser has put behind it', () => {
    const urls = [
      'https://app.example.com/t/thread_a',
      'https://app.example.com/t/thread_a?tab=log#end',
      'https://app.example.com/t/thread%20b/files',
    ]
    expect(knownAddresses(urls, webUrl).map(({about}) => about)).toEqual([
      'work:thread_a',
      'work:thread_a',
      'work:thread b',
    ])
  })

  test('of a pull request is known however it is written', () => {
    const urls = [
      'https://GitHub.com/Acme/Web/pull/12/files?w=1',
      'https://git.acme.test/group/sub/-/merge_requests/7#note_1',
    ]
    expect(knownAddresses(urls, undefined)).toEqual([
      {url: urls[0], about: 'pr:github.com/acme/web#12'},
      {url: urls[1], about: 'pr:git.acme.test/group/sub#7'},
    ])
  })

  test('of anything else is none', () => {
    const urls = [
      'https://app.example.com/',
      'https://app.example.com/t/',
      'https://app.example.com.evil.test/t/thread_a',
      'http://app.example.com/t/thread_a',
      `https://app.example.com/t/${'x'.repeat(201)}`,
      'https://app.example.com/t/%E0%A4%A',
      'https://github.com/acme/web/issues/12',
      'https://github.com/acme/web/pull/12345678901',
    ]
    expect(knownAddresses(urls, webUrl)).toEqual([])
    expect(knownAddresses(['https://app.example.com/t/thread_a'], undefined)).toEqual([])
  })

  test('stands for the same thing in the table as in the message', () => {
    fc.assert(
      fc.property(fc.string({minLength: 1}), fc.boolean(), (name, isWork) => {
        const subject = isWork
          ? {kind: 'work' as const, threadId: name}
          : {kind: 'pull-request' as const, key: name}
        expect(toSubject(aboutOf(subject))).toEqual(subject)
      }),
    )
  })

  test('that was invented breaks nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({withFragments: true})), (url) => {
        expect(knownAddresses([url], webUrl).length).toBeLessThanOrEqual(1)
      }),
    )
  })
})
