import {describe, expect, test} from 'vitest'
import {ConfigError, readConfig} from '../src/config/config.ts'

/**
 * Keys and tokens go to the addresses of these settings. Plain http is for this machine alone, an address says
 * nothing besides host, port and path, and nothing that only looks like this machine is taken for it.
 */
const SETTINGS = ['PLATFORM_BASE_URL', 'SLACK_API_URL'] as const

const right = {
  PLATFORM_BASE_URL: 'https://platform.example.com/api/v1',
  PLATFORM_API_KEY: 'key',
  PLATFORM_PROJECT_ID: 'project',
  SLACK_BOT_TOKEN: 'xoxb-x',
  SLACK_APP_TOKEN: 'xapp-x',
}

/** Without a path. */
const GOOD = [
  ...[
    'https://example.com',
    'https://EXAMPLE.com',
    'https://example.com:8443',
    'https://a.b.c.d.e',
  ],
  ...['https://xn--bcher-kva.example', 'https://bücher.example', 'https://[2001:db8::1]'],
  // Where the platform runs inside one's own network, it has a certificate.
  ...[
    'https://10.0.0.1',
    'https://192.168.1.1:8443',
    'https://platform.internal',
    'https://127.0.0.1',
  ],
  ...['http://127.0.0.1', 'http://127.0.0.1:8080', 'http://127.255.255.254', 'http://localhost'],
  ...['http://localhost:3000', 'http://LOCALHOST', 'http://[::1]', 'http://[::1]:8080'],
  // Other ways to write this machine; the address that is asked is the one that was checked.
  ...[
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://127.0.1',
  ],
  ...[
    'http://[0:0:0:0:0:0:0:1]',
    'http://[0000::0001]',
    'http:127.0.0.1',
    'HTTP://127.0.0.1',
    'http://127.0.0.1.',
  ],
]

const PRIVATE_HOSTS = [
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.1'],
  ...['169.254.169.254', '169.254.0.1', '100.64.0.1', '100.100.100.200', '198.18.0.1', '0.0.0.0'],
  ...['224.0.0.1', '255.255.255.255', '128.0.0.1', '126.255.255.255', '1.1.1.1', '8.8.8.8'],
  ...['[::]', '[::2]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]'],
  ...['[::ffff:10.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:169.254.169.254]', '[64:ff9b::7f00:1]'],
]
/** They are, or look like, names of this machine, and anybody may answer for them. */
const NAMES = [
  ...['example.com', 'localhost.example.com', 'localhost.', 'localhost.localdomain', 'localhost6'],
  ...['127.0.0.1.nip.io', '127.0.0.1.example.com', 'a127.0.0.1.example', 'foo.localhost', 'local'],
  ...['metadata.google.internal', 'metadata', 'kubernetes.default.svc', 'host.docker.internal'],
  ...['slack.com', 'api.slack.com.example', 'ip6-localhost', '127-0-0-1.example', 'loca1host'],
]

const BAD = [
  ...[...PRIVATE_HOSTS, ...NAMES].map((host) => `http://${host}`),
  ...PRIVATE_HOSTS.slice(0, 12).map((host) => `http://${host}:8080`),
  ...[
    'ftp',
    'file',
    'gopher',
    'ws',
    'wss',
    'data',
    'javascript',
    'blob',
    'unix',
    'ssh',
    'dict',
  ].map((scheme) => `${scheme}://example.com`),
  ...['https://a@example.com', 'https://a:b@example.com', 'https://:b@example.com'],
  ...['http://a@127.0.0.1', 'http://127.0.0.1@example.com', 'https://127.0.0.1@example.com'],
  ...['https://%61@example.com', 'http://example.com#@127.0.0.1', 'http://example.com?@127.0.0.1'],
  ...['http://2130706434.example', 'http://0x0a000001'],
  ...['http://012.0.0.1', 'http://3232235521', 'http://0', 'http://10.1', 'http://192.168.257'],
  ...[
    'example.com',
    '//example.com',
    'example.com:443',
    'localhost:3000',
    '127.0.0.1',
    'https',
    ':',
  ],
  ...['http://', '/', '.', '?', 'https://[::1', 'https://::1'],
  ...['https://exa mple.com', 'https://example.com:99999', 'https://example.com:-1', 'https://%'],
  ...[
    'https://[fe80::1%25eth0]',
    'https://999.1.1.1',
    'https://1.2.3.4.5',
    'https://256.256.256.256',
  ],
]

/** They begin with an address that would do, and go on with what an address of a key must not have. */
const BAD_TAILS = ['?key=1', '#x', '?', '/../../x?', '/#']

function problemsOf(setting: string, value: string): readonly string[] {
  try {
    readConfig({...right, [setting]: value})
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe.each(SETTINGS)('%s', (setting) => {
  const path = setting === 'PLATFORM_BASE_URL' ? '/api/v1' : '/api/'

  test('has 200 addresses to stand up to', () => {
    expect(2 * (GOOD.length + BAD.length + BAD_TAILS.length)).toBeGreaterThan(200)
    expect(new Set([...GOOD, ...BAD]).size).toBe(GOOD.length + BAD.length)
  })

  test.each(GOOD)('may be %s', (address) => {
    expect(problemsOf(setting, address + path)).toEqual([])
  })

  test.each([...BAD, ...BAD_TAILS.map((tail) => `https://example.com${tail}`)])(
    'must not be %s',
    (address) => {
      const problems = problemsOf(setting, address + path)
      expect(problems.length).toBeGreaterThan(0)
      for (const problem of problems) expect(problem).toMatch(new RegExp(`^${setting} `))
    },
  )
})
