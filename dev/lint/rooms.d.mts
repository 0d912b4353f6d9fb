export declare const rooms: Readonly<Record<string, readonly string[]>>;
export declare const shared: readonly string[];
export declare const processes: Readonly<Record<string, readonly string[]>>;
