import {expect, test} from 'vitest'
import {isDisguise, isPlainAddress} from '../../../src/markdown/safe/addresses.ts'

test.each([
  'https://a.example',
  'HTTP://a.example/b?c=d#e',
  'https://a.example?b',
  'https://a.example#b',
  'https://a.example/@b',
  'http://localhost:3000/x(y)',
  'mailto:a.b+c@d-e.example',
  'mailto:a@b.example?subject=c',
])('%s may stand behind a label', (target) => {
  expect(isPlainAddress(target)).toBe(true)
})

test.each([
  ['nothing', ''],
  ['no place', 'https://'],
  ['no place, with a path', 'https:///bank.com'],
  ['another scheme', 'javascript:alert(1)'],
  ['a path', '/docs/guide.md'],
  ['a name in front', 'https://bank.com@evil.example'],
  ['a name and a password', 'https://bank.com:443@evil.example'],
  ['a percent sign in the place', 'https://bank.com%2Fevil.example'],
  ['an ampersand in the place', 'https://a&amp;b.example'],
  ['a backslash', 'https://evil.example\\bank.com'],
  ['white space', 'https://a.example/b c'],
  ['a bracket', 'https://a.example/[b]'],
  ['a bar', 'https://a.example|b'],
  ['a quote', 'https://a.example/"b'],
  ['what is invisible', 'https://a.exam\u00ADple'],
  ['what turns the direction', 'https://a.example/\u202Eb'],
  ['mail to two', 'mailto:a@b@c.example'],
  ['mail to nobody', 'mailto:'],
])('none does that has %s', (_what, target) => {
  expect(isPlainAddress(target)).toBe(false)
})

test.each<[string, string, string]>([
  ['words', 'the docs', 'https://a.example'],
  ['words with a full stop', 'Version 2. See it', 'https://a.example'],
  ['the same address', 'https://a.example/b', 'https://a.example/c'],
  ['its place', 'A.example', 'https://a.EXAMPLE/b'],
  ['its place in words', 'see (a.example), please', 'https://a.example'],
  ['its place with a path', 'a.example/b?c', 'https://a.example'],
  ['its place, emphasised', '**a**.example', 'https://a.example'],
  ['its mail address', 'a@b.example', 'mailto:a@b.example'],
  ['its mail address in words', 'mail a@b.example!', 'mailto:a@b.example?subject=c'],
  ['a file of its path', 'split.ts:12', 'https://a.example/src/split.ts#L12'],
  ['a file and two numbers', 'split.ts:12:3', 'https://a.example/split.ts'],
  ['a file and its folder', 'src/split.ts:12', 'https://a.example/src/split.ts'],
  ['a file and a place in it', 'split.ts#L3-L9', 'https://a.example/split.ts?plain=1#L3'],
  ['a file whose name has marks', 'a_b.ts', 'https://a.example/a_b.ts'],
  ['a number', '2.5 times', 'https://a.example'],
  ['one letter behind a dot', 'i.e this', 'https://a.example'],
  ['a dash', 'my&dash;bank.com', 'https://my-bank.com'],
  ['a hyphen', 'my&hyphen;bank.com', 'https://my-bank.com'],
  ['an unknown entity', 'bank&unknown;com', 'https://a.example'],
  ['nothing', '', 'https://a.example'],
])('a label is honest that reads like %s: %s', (_what, label, target) => {
  expect(isDisguise(label, target)).toBe(false)
})

test.each<[string, string, string]>([
  ['another place', 'bank.com', 'https://evil.example'],
  ['another place in words', 'pay at (bank.com), please', 'https://evil.example'],
  ['a place with more behind', 'a.example.com', 'https://a.example'],
  ['a place with less in front', 'a.example', 'https://www.a.example'],
  ['another address', 'https://bank.com', 'https://evil.example'],
  ['an address of a short place', 'http://bank', 'https://evil.example'],
  ['www', 'www.bank', 'https://evil.example'],
  ['a mail address', 'pay@bank.com', 'mailto:pay@evil.example'],
  ['a name with the same place', 'bank@evil.example', 'https://evil.example'],
  ['a file of another name', 'other.ts', 'https://evil.example/split.ts'],
  ['a file that is a place too', 'bank.com', 'https://evil.example/bank.com'],
  ['a file behind an address', 'https://bank.com/a.ts', 'https://evil.example/a.ts'],
  ['a place where none is meant', 'bank.com', 'docs/guide.md'],
  ['a place written in part', '5%: bank%2Ecom', 'https://evil.example'],
  ['a place across a bracket', 'see [bank.com]', 'https://evil.example'],
])('a label is a disguise that reads like %s: %s', (_what, label, target) => {
  expect(isDisguise(label, target)).toBe(true)
})

test.each([
  ...['&period;', '&PERIOD;', '&middot;', '&centerdot;', '&#46;', '&#x2e;', '&#X2E;', '%2E', '%2e'],
  ...['。', '．', '｡', '․', '·', '•', '\\.', '*.*', '&#8203;.', '.&shy;', '.&zwj;', '&lrm;.'],
  ...['\u200B.', '.\u2009', '.&ast;', '.&lowbar;'],
])('a dot between names is one, written %s', (dot) => {
  expect(isDisguise(`bank${dot}com`, 'https://evil.example')).toBe(true)
  expect(isDisguise(`bank${dot}com`, 'https://bank.com')).toBe(false)
})

test.each([
  ['&sol;', '/'],
  ['&colon;', ':'],
  ['&commat;', '@'],
  ['&#64;', '@'],
  ['%40', '@'],
])('what an address is made of is read, written %s', (entity, sign) => {
  const label = {'/': `http:${entity}/bank`, ':': `http${entity}//bank`, '@': `a${entity}bank`}[
    sign
  ]
  expect(isDisguise(label ?? '', 'https://evil.example')).toBe(true)
})

test.each(['&nbsp;', '&tab;', '&newline;', ' ', '\n'])(
  'a space that can be seen parts words, written %j',
  (space) => {
    expect(isDisguise(`a.example${space}again`, 'https://a.example')).toBe(false)
  },
)

test.each(['&#0;', '&#x110000;', '&#9999999;'])('no character is none: %s', (entity) => {
  expect(isDisguise(`bank.${entity}com`, 'https://evil.example')).toBe(true)
})
