const stored = 'local-slack:emoji'
const maxRecent = 9

/** What is offered before anybody chose anything. */
const starters = [
  'white_check_mark',
  'eyes',
  'raised_hands',
  '+1',
  'tada',
  'heart',
  'joy',
  'thinking_face',
  'octagonal_sign',
]

/** The names that a person chose last, the newest first. */
export function recentEmoji(): string[] {
  return [...new Set([...readNames(), ...starters])].slice(0, maxRecent)
}

export function rememberEmoji(name: string): void {
  const names = [name, ...readNames().filter((other) => other !== name)].slice(0, maxRecent)
  localStorage.setItem(stored, JSON.stringify(names))
}

function readNames(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(stored) ?? '[]')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return [] // written by something else: the starters do
  }
}
