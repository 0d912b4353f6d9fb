/** Told what takes long. */
export type Progress = (line: string) => void;
