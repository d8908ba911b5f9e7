// RUN: amp-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected a row, a column and whether it is transposed for each parameter}}
amprt.panel @p [@W, @V] rows [0] columns [0, 0] transposed [false, false] k 2 width 8 lanes 4 unroll 2

// -----

// expected-error @+1 {{expected a row, a column and whether it is transposed for each parameter}}
amprt.panel @p [] rows [] columns [] transposed [] k 2 width 8 lanes 4 unroll 2

// -----

// expected-error @+1 {{expected k of at least 1 and a width of at least lanes times unroll}}
amprt.panel @p [@W] rows [0] columns [0] transposed [false] k 0 width 8 lanes 4 unroll 2

// -----

// expected-error @+1 {{expected k of at least 1 and a width of at least lanes times unroll}}
amprt.panel @p [@W] rows [0] columns [0] transposed [false] k 2 width 7 lanes 4 unroll 2

// -----

// expected-error @+1 {{expected a row, a column and whether it is transposed for each parameter}}
amprt.panel @p [@W, @V] rows [0, 0] columns [0, 0] transposed [false] k 2 width 8 lanes 4 unroll 2

// -----

// expected-error @+3 {{failed to parse AmpRT_ValuesAttr}}
// expected-error @+2 {{expected the offset of a word, but got 50}}
amprt.cell @c compute @f complete @f product false priority 1 work 0
  reads [<f32 at 50>] writes [] params [] ""

// -----

// expected-error @+3 {{failed to parse AmpRT_ValuesAttr}}
// expected-error @+2 {{expected a number of parents, but got -1}}
amprt.cell @c compute @f complete @f product false priority 1 work 0
  reads [<f32 at 56 up -1>] writes [] params [] ""
