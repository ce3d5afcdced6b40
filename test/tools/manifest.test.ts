import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {parse} from 'yaml'
import {tool} from '../support/tool.ts'

const file = join(import.meta.dirname, '../../manifest.yml')
const PLATFORM_WEB_URL = 'https://work.acme.test:8443/t/{threadId}'

test('the manifest is printed with the domains of this place, and else as it is', async () => {
  const {code, out} = await tool('manifest', ['github.com'], {PLATFORM_WEB_URL})
  expect(code).toBe(0)
  const written = parse(readFileSync(file, 'utf8')) as {features: Record<string, unknown>}
  expect(written.features['unfurl_domains']).toEqual(['app.example.com'])
  written.features['unfurl_domains'] = ['work.acme.test', 'github.com']
  expect(parse(out)).toEqual(written)
})

test('what is no domain, too many of them, or none at all is said', async () => {
  const said = async (args: string[], settings = {}) => {
    const {code, err} = await tool('manifest', args, settings)
    expect(code).toBe(1)
    return err
  }
  expect(await said(['https://github.com'])).toContain('https://github.com is no domain')
  expect(await said(['a.b', 'b.c', 'c.d', 'd.e', 'e.f', 'f.g'])).toContain('five domains at most')
  expect(await said([])).toContain('Set PLATFORM_WEB_URL')
  expect(await said([], {PLATFORM_WEB_URL: 'https://work.acme.test'})).toContain('{threadId}')
})
