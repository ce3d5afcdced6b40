import type {Automation, Thread} from '../../../src/platform/model.ts'
import type {KeyName} from '../../local/platform/client.ts'
import {all, type Contract} from './contract.ts'

let creations = 0

/** A key of creation that no other test has. */
export function newRequestId(): string {
  return `creation-${++creations}`
}

type Creation = 'createThread' | 'createCaptain' | 'createAutomation'
type Order<Of extends Creation> = Parameters<ReturnType<Contract['client']>[Of]>[0]

/** The order of a thread with little to do, in the project `project_web` unless said otherwise. */
export function newThread(fields: Partial<Order<'createThread'>> = {}): Order<'createThread'> {
  return {requestId: newRequestId(), projectId: 'project_web', message: 'quick', ...fields}
}

/** The order of a captain, in the project `project_web` unless said otherwise. */
export function newCaptain(fields: Partial<Order<'createCaptain'>> = {}): Order<'createCaptain'> {
  return {requestId: newRequestId(), projectId: 'project_web', name: 'Ada', ...fields}
}

/** A new thread, of the human key unless said otherwise. */
export async function createThread(
  contract: Contract,
  fields: Partial<Order<'createThread'>> = {},
  key: KeyName = 'human',
): Promise<Thread> {
  return contract.client(key).createThread(newThread(fields), contract.signal)
}

export const HOURLY = {type: 'schedule', cron: '0 * * * *', timezone: 'UTC'} as const
export const WEBHOOK = {type: 'incoming_webhook'} as const

/** A new automation of the human key, for the project `project_web` unless said otherwise. */
export async function createAutomation(
  contract: Contract,
  fields: Partial<Order<'createAutomation'>>,
): Promise<Automation> {
  const requestId = newRequestId()
  const order = {requestId, projectId: 'project_web', prompt: 'quick look', ...fields}
  return contract.client().createAutomation(order, contract.signal)
}

/** An automation as the list shows it now. */
export async function readAutomation(
  contract: Contract,
  automationId: string,
): Promise<Automation> {
  const {signal} = contract
  const automations = await all(contract.client().listAutomations({}, signal))
  const found = automations.find(({id}) => id === automationId)
  if (found === undefined) throw new Error(`There is no automation ${automationId} in the list.`)
  return found
}

/** How often an automation has run. */
export async function runsOf(
  contract: Contract,
  {id}: Pick<Automation, 'id'>,
): Promise<number | undefined> {
  return (await readAutomation(contract, id)).runCount
}

/** The ids of the threads that an action makes. */
export async function threadsMadeBy(
  {platform}: Contract,
  act: () => Promise<unknown>,
): Promise<string[]> {
  const before = new Set(platform.threads().map(({id}) => id))
  await act()
  return platform
    .threads()
    .map(({id}) => id)
    .filter((id) => !before.has(id))
}
