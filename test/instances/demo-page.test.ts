import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {canDrivePages, openBrowser} from '../support/browser.ts'
import {openDataFolder, spawnDemo} from '../support/demo.ts'
import {barePostgres, takeTurn} from '../support/postgres.ts'

describe.skipIf(!canDrivePages)('the demo with three instances', () => {
  const turn = new AsyncDisposableStack()
  beforeAll(() => takeTurn((end) => turn.defer(end)))
  afterAll(() => turn.disposeAsync())

  test('shows who works for what; one that is killed there leaves its workspaces to the others, and comes back', async (context) => {
    const database = await barePostgres()
    const folder = await openDataFolder()
    context.onTestFinished(() => folder[Symbol.asyncDispose]())
    const wish = ['--instances', '3', '--database', database]
    const demo = spawnDemo('--port', '0', '--data', folder.path, ...wish)
    context.onTestFinished(async () => {
      demo.kill('SIGINT')
      if (demo.exitCode === null) await once(demo, 'close')
    })
    const [line] = (await once(createInterface(demo.stdout), 'line')) as [string]
    const browser = await openBrowser()
    context.onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(/http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? line)

    const [first, ...others] = [1, 2, 3].map((number) =>
      page.getByRole('listitem', {name: `Instance ${number}`}),
    )
    if (first === undefined) throw new Error('There is no instance')
    const ownedBy = async (instance: typeof first): Promise<string[]> =>
      instance.locator('a:not(.is-waiting)').allInnerTexts()
    const all = async () => (await Promise.all([first, ...others].map(ownedBy))).flat()
    await expect.poll(async () => (await all()).length).toBe(6)
    const lost = await ownedBy(first)
    expect(lost.length).toBeGreaterThan(0)

    await first.getByRole('button', {name: 'Kill'}).click()
    await first.getByText('down since').waitFor()
    const byOthers = async () => (await Promise.all(others.map(ownedBy))).flat()
    await expect.poll(byOthers).toEqual(expect.arrayContaining(lost))
    await first.getByRole('button', {name: 'Start'}).click()
    await first.getByText('runs since').waitFor()
    await expect.poll(() => ownedBy(first)).not.toEqual([])
    expect(new Set(await all()).size).toBe(6)
  })
})
