import {expect, onTestFinished, test} from 'vitest'
import {createDice} from '../../local/platform/agent/dice.ts'
import {IS_POSTGRES, temporaryName} from '../support/postgres.ts'
import {tryUpgrades} from '../support/released/upgrading.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'

// A sample of `bench/upgrades.ts`: the oldest database of each kind.
const OLDEST = IS_POSTGRES
  ? ({name: '0017', engine: 'postgres', kills: 3} as const)
  : ({name: '0.1.0', engine: 'sqlite', kills: 6} as const)

test('an upgrade that is killed leaves the old database or the new one, and the next start ends it', async () => {
  const place = {
    folder: temporaryFolder(onTestFinished),
    prefix: IS_POSTGRES ? temporaryName() : 'kills_',
  }
  const report = await tryUpgrades({...OLDEST, dice: createDice('gate')}, place)
  expect(report.problems).toEqual([])
  expect(report.kills).toBe(OLDEST.kills)
})
