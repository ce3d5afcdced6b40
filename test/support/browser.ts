import {existsSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {type Browser, type BrowserContextOptions, type Page, chromium} from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Page tests may be left out where there is no browser, unless they are asked for by name. */
export const canDrivePages =
  existsSync(executablePath) || process.env['BOSUN_PAGE_TESTS'] === 'required'

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Opens a channel of the local Slack as one of its members. */
export async function openChannel(
  browser: Browser,
  {origin, as, channel}: {origin: string; as: string; channel: string},
  look: BrowserContextOptions = {viewport: {width: 1300, height: 900}},
): Promise<Page> {
  const context = await browser.newContext({...look, timezoneId: 'Europe/Berlin', locale: 'en-GB'})
  // As long as every wait of a test (`poll` in vitest.config.ts): the machine may have other work to do.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.goto(`${origin}/?as=${as}&channel=${channel}`)
  await page.locator('main.channel textarea').waitFor()
  return page
}

/** Keeps a picture of what a person sees, for whoever wants to look at a failure. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = join(tmpdir(), 'bosun-page')
  await mkdir(folder, {recursive: true})
  await page.screenshot({path: join(folder, `${name}.png`)})
}
