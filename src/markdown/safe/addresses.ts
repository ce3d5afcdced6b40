import {ownOf} from '../../security/foreign-json.ts'

/** An address that may stand behind a label, with nothing in it that another parser could read otherwise. */
export function isPlainAddress(target: string): boolean {
  if (/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(target)) return false
  const [, authority] = HTTP.exec(target) ?? []
  if (authority === undefined)
    return /^mailto:[\w.+-]+@[\w.-]+(?:\?[^\s<>|\\`[\]"']*)?$/i.test(target)
  return authority !== '' && !/[@&%:]{2}|[@&%]/.test(authority)
}

const HTTP = /^https?:\/\/([^\s<>|\\`[\]"'/?#]*)(?:[/?#][^\s<>|\\`[\]"']*)?$/i

/** Whether a label reads like an address of some other place than the target's. */
export function isDisguise(label: string, target: string): boolean {
  const place = placeOf(target)
  const decoded = decodePercent(decodeEntities(label))
  // A space that is no plain one may be too narrow to see.
  return [decoded, decoded.replaceAll(/[^\S \t\r\n]/g, '')].some((read) =>
    toPlainWords(read)
      .split(/\s+/)
      .some((word) => pointsElsewhere(word, place)),
  )
}

/** As a reader sees it: marks, and what is invisible or looks like a dot, undone. */
function toPlainWords(read: string): string {
  return read
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (char) =>
      /\s/.test(char) ? ' ' : '',
    )
    .replaceAll(/[[\]]/g, ' ')
    .replaceAll(/[*_~`\\!<>]/g, '')
    .replaceAll(DOTS, '.')
    .toLowerCase()
}

const DOTS =
  /[\u00B7\u0387\u06D4\u0701\u0702\u2022\u2024\u2027\u22C5\u2E31\u2E33\u3002\u30FB\uA4F8\uA60E\uFE52\uFF0E\uFF61\uFF65]/g

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  period: '.',
  sol: '/',
  colon: ':',
  commat: '@',
  num: '#',
  nbsp: ' ',
  shy: '',
  zwj: '',
  zwnj: '',
  lrm: '',
  rlm: '',
  middot: '.',
  centerdot: '.',
  lowbar: '',
  ast: '',
  hyphen: '-',
  dash: '-',
  tab: ' ',
  newline: ' ',
  percnt: '%',
}

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,31}));/gi,
    (all, hex, number, name) => {
      if (typeof name === 'string') return ownOf(NAMED, name.toLowerCase()) ?? all
      const code = typeof hex === 'string' ? parseInt(hex, 16) : Number(number)
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
    },
  )
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not all of it is encoded: what is, and is ASCII, still reads as what it means.
    return text.replaceAll(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
  }
}

/** Sought from its dots: what stands between two of them is read once, however long it is. */
const DOMAIN = /\.(?<=[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.)[\p{L}\p{N}\p{M}-]{2}/u

/** Where a target leads, read once for all words of its label. */
interface Place {
  isMail: boolean
  /** Of a mail address, all of it. */
  host: string
  /** The last name in its path, as it reads in a label: marks are taken out there. */
  file: string
}

function placeOf(target: string): Place {
  const [, host = ''] = /^(?:https?:\/\/|mailto:)([^/?#]*)/i.exec(target) ?? []
  const [path = ''] = target.split(/[?#]/, 1)
  const file = path.slice(path.lastIndexOf('/') + 1)
  return {
    isMail: /^mailto:/i.test(target),
    host: host.toLowerCase(),
    file: file.replaceAll('_', '').toLowerCase(),
  }
}

function pointsElsewhere(word: string, {isMail, host, file}: Place): boolean {
  const isAddress = /:\/\/|^\W*www\.|@/.test(word) || DOMAIN.test(word)
  if (!isAddress || isFile(word, file)) return false
  const trimmed = word
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/(?<=[\p{L}\p{N}/])[^\p{L}\p{N}/]+$/u, '')
  const bare = trimmed.replace(/^(?:https?:\/\/|mailto:)/, '')
  const [authority = ''] = bare.split(/[/?#]/, 1)
  return authority !== host || (!isMail && authority.includes('@'))
}

const SOURCE_FILE =
  /^[\w.@+-]*\.(?:[cm]?[jt]sx?|json[c5l]?|mdx?|rs|py[iw]?|rb|go|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|sql|ya?ml|toml|ini|cfg|conf|lock|txt|html?|s?css|less|vue|svelte|xml|proto|gradle|scala|clj|exs?|erl|hs|lua|r|dart|tf|log|csv)$/i

/** `split.ts:12` for `…/split.ts#L12`: a file's name is no address of another place. */
function isFile(word: string, file: string): boolean {
  const [before = ''] = word.split('#', 1)
  const path = before === word ? word.replace(/(?::\d+){1,2}$/, '') : before
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === file && SOURCE_FILE.test(name) && !/:\/\/|@/.test(word)
}
