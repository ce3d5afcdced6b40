import {ORGANIZATION_ROUTES} from './organization-routes.ts'
import type {RefusalTag} from './refusals.ts'
import type {Route} from './route.ts'
import {THREAD_ROUTES} from './thread-routes.ts'

/** Section 4, endpoint by endpoint. */
export const ROUTES: readonly Route[] = [...THREAD_ROUTES, ...ORGANIZATION_ROUTES]

/** What every request below the base address may be answered with. */
export const ALWAYS: readonly RefusalTag[] = ['Unauthorized', 'Forbidden', 'RateLimited']

type Listed = (typeof THREAD_ROUTES)[number] | (typeof ORGANIZATION_ROUTES)[number]

/** The paths of one method: what serves another one does not compile. */
export type PathOf<Method extends Route['method']> = Extract<Listed, {method: Method}>['path']
