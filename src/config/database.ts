import {Secret} from '../security/secret.ts'

/** A file's path, or the address of a PostgreSQL. */
export function parseDatabase(value: string, problem: (line: string) => void): string {
  if (isPostgres(value)) {
    const url = URL.parse(value)
    if (url === null) {
      problem(
        'DATABASE_URL is no address: write postgres://user@host:5432/database, and in a password %2F for a / and %40 for an @.',
      )
    } else if (url.pathname.length < 2) {
      problem('DATABASE_URL must name a database: postgres://user@host/database.')
    } else if (!isPort(url.searchParams.get('port') ?? '5432')) {
      problem('DATABASE_URL has a port that is no number from 1 to 65535.')
    } else if (/[@/]/.test(url.pathname.slice(1))) {
      // A password that is cut there would be told as the name of the database.
      problem(
        'DATABASE_URL has a / or an @ behind its host: in a password or a name write %2F and %40 for them.',
      )
    } else if (![url.username, url.password, url.pathname].every(isEncoded)) {
      problem('DATABASE_URL holds a % that encodes nothing: write %25 for it.')
    }
    return value
  }
  const path = value.replace(/^sqlite:/, '')
  if (!value.startsWith('sqlite:') || path === '') {
    problem(
      'DATABASE_URL must be sqlite: and a file, for example sqlite:data/bosun.db, or the address of a PostgreSQL, postgres://user@host/database.',
    )
  }
  if (path === ':memory:') {
    problem('DATABASE_URL must name a file: what stands in memory alone is lost at each stop.')
  }
  return path
}

function isPostgres(value: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(value)
}

function isPort(said: string): boolean {
  return /^\d{1,5}$/.test(said) && Number(said) > 0 && Number(said) < 65_536
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** A password in the address of a PostgreSQL. */
export function passwordIn({path}: {path: string}): Secret | undefined {
  if (!isPostgres(path)) return undefined
  const {password, searchParams} = new URL(path)
  const given = searchParams.get('password') ?? decodeURIComponent(password)
  return given === '' ? undefined : new Secret(given)
}
