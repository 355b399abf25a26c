/** The environment that programs started by this one inherit. No setting of Quiesce is read from it. */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => process.env;
