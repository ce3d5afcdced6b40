import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {nearest} from '../../src/agents/nearest-word.ts'
import {OPTION_NAMES, readOptions} from '../../src/agents/start-options.ts'

describe('options in front of a task', () => {
  test.each([
    ['fix it', {}, 'fix it'],
    ['project=web fix it', {project: 'web'}, 'fix it'],
    ['  Project=web\n model=fast\tfix it', {project: 'web', model: 'fast'}, 'fix it'],
    ['title="Fix the login" do it', {title: 'Fix the login'}, 'do it'],
    ['title=“Fix the login” do it', {title: 'Fix the login'}, 'do it'],
    ['title=„Anmeldung“ do it', {title: 'Anmeldung'}, 'do it'],
    ["title='Jane's login' do it", {title: "Jane's login"}, 'do it'],
    ['title=«Вход» сделай', {title: 'Вход'}, 'сделай'],
    ['[project=web size=large] fix it', {project: 'web', size: 'large'}, 'fix it'],
    ['[title="a ] b"] fix it', {title: 'a ] b'}, 'fix it'],
    ['[project=web] model=fast fix it', {project: 'web', model: 'fast'}, 'fix it'],
    ['project=web project=api fix it', {project: 'api'}, 'fix it'],
    ['plan=yes fix it', {plan: 'yes'}, 'fix it'],
    ['repo=acme/web', {repo: 'acme/web'}, ''],
    // What is no option of ours stays part of the task.
    ['x=1 project=web fix it', {}, 'x=1 project=web fix it'],
    ['fix project=web', {}, 'fix project=web'],
    ['[WIP] project=web', {}, '[WIP] project=web'],
    ['[project=web WIP x=1] fix it', {project: 'web'}, '[WIP x=1] fix it'],
    ['[project=web fix it', {}, '[project=web fix it'],
    ['project= web', {}, 'project= web'],
    ['title="" fix it', {}, 'title="" fix it'],
    ['title="\u200B" fix it', {}, 'title="\u200B" fix it'],
    ['\u200Fproject=web fix it\u200B', {project: 'web'}, 'fix it'],
    ['size=large \u2060', {size: 'large'}, ''],
    ['title="never closed', {}, 'title="never closed'],
    ['projects=web fix it', {}, 'projects=web fix it'],
    ['xproject=web] fix it', {}, 'xproject=web] fix it'],
    ['title="x"y fix it', {}, 'title="x"y fix it'],
    ['', {}, ''],
  ])('%s', (text, options, task) => {
    expect(readOptions(text)).toEqual({options, task})
  })

  const value = fc
    .stringMatching(/^[\p{L}\d][\p{L}\d /.'-]{0,20}$/u)
    .map((words) => words.trim())
    .filter((words) => words !== '' && !words.includes("' "))
  const task = fc
    .string({unit: 'grapheme', maxLength: 60})
    .map((words) => words.trim())
    .filter((words) => !/^(\[|\w+=)/.test(words))

  test('read as they were written, and leave the task as it was', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...OPTION_NAMES), value), {
          selector: ([name]) => name,
        }),
        fc.constantFrom('“”', '""', '„“', '«»'),
        fc.boolean(),
        task,
        (pairs, quotes, isInBrackets, words) => {
          const said = pairs
            .map(([name, word]) => `${name}=${quotes.charAt(0)}${word}${quotes.charAt(1)}`)
            .join(' ')
          const front = isInBrackets && said !== '' ? `[${said}]` : said
          expect(readOptions(`${front} ${words}`)).toEqual({
            options: Object.fromEntries(pairs),
            task: words,
          })
        },
      ),
    )
  })

  test('nothing that somebody writes is lost', () => {
    const piece = fc.constantFrom(
      ...['project=web ', 'x=', '[', ']', '"', '“', "'", ' ', '=', 'title=', 'fix', '\n', 'size=x'],
    )
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 30}), (pieces) => {
        const text = pieces.join('')
        const {options, task} = readOptions(text)
        const bare = (words: string): string => words.replaceAll(/[\s[\]"“'=]/g, '')
        if (Object.keys(options).length === 0) expect(task).toBe(text.trim())
        expect(bare(text).endsWith(bare(task))).toBe(true)
      }),
    )
  })
})

test('the nearest names come first, and what is hardly similar only where nothing else is', () => {
  const names = ['api', 'web', 'web-admin', 'website', 'mobile', 'wbs']
  expect(nearest(names, 'wbe')).toEqual(['wbs', 'web', 'website'])
  expect(nearest(names, 'WEB')[0]).toBe('web')
  expect(nearest(['web', 'api'], 'xyz')).toEqual(['api', 'web'])
  expect(nearest([], 'web')).toEqual([])
})
